/**
 * Depth test that always passes. The basemap below is opaque and writes depth, so its fills would punch holes
 * into the overlay.
 */
export const flatDepth = { depthCompare: 'always' as const, depthWriteEnabled: false }
