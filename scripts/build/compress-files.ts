import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const TEXT_FILES = /\.(js|css|html|svg|json)$/
/** Smaller files fit into one network packet anyway. */
const MIN_BYTES = 1024

/** Writes a Brotli and a gzip form of a file beside it, unless the file is too small to benefit. */
export async function compressFile(file: string): Promise<void> {
  const plain = await readFile(file)
  if (plain.length < MIN_BYTES) return
  await Promise.all([
    promisify(brotliCompress)(plain, BROTLI).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(plain, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ])
}

/** Creates a Vite plugin that compresses the built files, so that the server need not for every request. */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.keys(bundle)
          .filter((name) => TEXT_FILES.test(name))
          .map((name) => compressFile(join(dir, name))),
      )
    },
  }
}
