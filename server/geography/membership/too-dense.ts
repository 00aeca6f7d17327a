/** More shapes meet in one finer cell than an edge cell holds: the layer must be split over several indexes. */
export class TooDense extends Error {
  override name = 'TooDense'
}
