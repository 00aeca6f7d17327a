import { fileBytes } from '../open-trip-file.ts'

/** Whether a file begins like JSON. */
export async function isJsonFile(filePath: string): Promise<boolean> {
  for await (const part of fileBytes(filePath)) {
    const head = part.subarray(0, 4096)
    const encoding =
      head[0] === 0xff && head[1] === 0xfe
        ? 'utf-16le'
        : head[0] === 0xfe && head[1] === 0xff
          ? 'utf-16be'
          : 'utf-8'
    return /^\s*(\[|\{)/.test(new TextDecoder(encoding).decode(head))
  }
  return false
}
