#!/bin/sh
# Makes the screenshots of this folder from a page of `semla report`, with headless Chromium.
#
#     make.sh PAGE
set -eu
page=$1 folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shoot NAME HEIGHT SCRIPT: a screenshot after the script has run in the page.
shoot() {
    sed "s|</body>|<script>$3</script></body>|" "$page" >"$work/page.html"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --virtual-time-budget=20000 --blink-settings=preferredColorScheme=1 \
        --window-size="1180,$2" --screenshot="$work/full.png" "file://$work/page.html" 2>"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
    if command -v pngquant >/dev/null 2>&1; then # 256 colours: a third of the size
        pngquant --force --output "$folder/$1" 128 "$work/full.png"
    else
        cp "$work/full.png" "$folder/$1"
    fi
}

structure='const part = document.getElementById("degrees").closest(".charts");
    for (const e of [document.querySelector("header"), ...main.children])
        if (e !== part \&\& e !== part.previousElementSibling) e.remove();'
shoot report-levels.png 1705 ""
shoot report-structure.png 1170 "$(echo "$structure" | tr -d '\n')"
