/** Strings of MDS are one line of 255 characters at most. */
export const mdsText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 255 ? `${line.slice(0, 254)}…` : line
}
