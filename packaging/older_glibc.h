/* wheel.sh includes this in every C file: it binds hypot to the version that every glibc for x86-64 has. Glibc 2.35
 * added one that does not set errno, which semla does not read. */
#ifdef __x86_64__
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
__asm__(".symver hypotf, hypotf@GLIBC_2.2.5");
#endif
