import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const TEXTS = /\.(js|css|html|svg|json)$/
/** Bytes; less goes in one packet anyhow. */
const LEAST = 1024

/** Writes a file's compressed forms beside it, where they are worth it. */
export async function compressFile(file: string): Promise<void> {
  const plain = await readFile(file)
  if (plain.length < LEAST) return
  await Promise.all([
    promisify(brotliCompress)(plain, BROTLI).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(plain, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ])
}

/** Vite plugin: compresses what was built once, so that the server need not at every request. */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.keys(bundle)
          .filter((name) => TEXTS.test(name))
          .map((name) => compressFile(join(dir, name))),
      )
    },
  }
}
