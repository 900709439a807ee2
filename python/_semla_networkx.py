"""What NetworkX asks of the backend "semla" when it is imported. It imports nothing, so that
programs which do not use the backend do not load the library; `semla.networkx_backend` has the
functions."""


def get_info():
    """The description of the backend, for the entry point "networkx.backend_info"."""
    return {
        "backend_name": "semla",
        "project": "semla",
        "package": "semla",
        "short_summary": "Sparse linear algebra over semirings, on CPUs and NVIDIA GPUs",
        "functions": {
            name: {}
            for name in (
                "betweenness_centrality",
                "connected_components",
                "descendants",
                "has_path",
                "is_connected",
                "node_connected_component",
                "number_connected_components",
                "pagerank",
                "single_source_dijkstra_path_length",
                "single_source_shortest_path_length",
                "triangles",
            )
        },
    }
