/** A record for reading: indented where it is JSON, as it came where it is not (it may be cut). */
export function recordText(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2)
  } catch {
    return raw
  }
}
