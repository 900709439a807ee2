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
                "ancestors",
                "average_clustering",
                "betweenness_centrality",
                "closeness_centrality",
                "clustering",
                "connected_components",
                "core_number",
                "descendants",
                "descendants_at_distance",
                "dijkstra_path_length",
                "has_path",
                "is_bipartite",
                "is_connected",
                "is_strongly_connected",
                "is_weakly_connected",
                "maximal_independent_set",
                "node_connected_component",
                "number_connected_components",
                "number_strongly_connected_components",
                "number_weakly_connected_components",
                "pagerank",
                "single_source_dijkstra_path_length",
                "single_source_shortest_path_length",
                "single_target_shortest_path_length",
                "strongly_connected_components",
                "transitivity",
                "triangles",
                "weakly_connected_components",
            )
        },
    }
