"""Programs of others against both transports; README's section "Peers" says which, and how to run them."""
