import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type RawHead, rawFolder, rawName } from './raw-files.ts'

const pack = promisify(gzip)

/** Stores a response as it was received, compressed, after a line that describes it. The file appears whole or not at all. */
export async function storeRaw(
  dataDir: string,
  { regionId, feedId }: { regionId: string; feedId: string },
  head: RawHead,
  body: Uint8Array,
): Promise<void> {
  const folder = rawFolder(dataDir, regionId, feedId, head.received)
  await fs.mkdir(folder, { recursive: true })
  const file = path.join(folder, rawName(head))
  await fs.writeFile(
    `${file}.part`,
    await pack(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]), { level: 4 }),
  )
  await fs.rename(`${file}.part`, file)
}
