interface ErrorLike {
  message: string
}

const missingMessage = /\b(layer|table|column)\b.*\b(does not|doesn['’]t) exist|no such (layer|table|column)/i

/** Whether an error only says that a layer, table or column is missing. The map is then shown without data. */
export const isMissingData = (error: ErrorLike | null): boolean =>
  error !== null && missingMessage.test(error.message)
