interface Failing {
  message: string
}

/** A missing layer, table or column is not a failure: the map is ready without data. */
export const isMissingData = (error: Failing | null): boolean =>
  error !== null &&
  /\b(layer|table|column)\b.*\b(does not|doesn['’]t) exist|no such (layer|table|column)/i.test(error.message)
