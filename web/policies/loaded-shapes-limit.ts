/** Layers with at most this many shapes are loaded completely, so that each shape can be named and filled. */
export const maxLoadedShapes = 1500
