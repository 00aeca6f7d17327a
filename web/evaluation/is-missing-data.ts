interface Failing {
  message: string
}

/** A layer, table or column that does not exist is no failure: the map is ready and has no data (2-map-and-data, section 5). */
export const isMissingData = (error: Failing | null): boolean =>
  error !== null &&
  /\b(layer|table|column)\b.*\b(does not|doesn['’]t) exist|no such (layer|table|column)/i.test(error.message)
