/** Layers of up to so many shapes are fetched whole, to be named and filled one by one. */
export const fetchedWhole = 1500
