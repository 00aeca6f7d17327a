import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { checkKey } from './blob-key.ts'
import type { BlobInfo, BlobStore } from './blob-store.ts'

/** Suffix of files that are being written. */
const partSuffix = '.part'

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

const toNullIfMissing = (error: unknown): null => {
  if (isMissing(error)) return null
  throw error
}

/** Opens the files in a folder of this machine, or of a file system that all servers mount. */
export function openDirectoryBlobs(root: string): BlobStore {
  const toPath = (key: string): string => path.join(root, ...checkKey(key).split('/'))
  /** Calls `write` with a temporary path in the folder of the target, then renames the file to the target. */
  const writeAtomically = async (key: string, write: (partFile: string) => Promise<void>): Promise<void> => {
    const target = toPath(key)
    const partFile = `${target}.${randomUUID().slice(0, 8)}${partSuffix}`
    const writeAndRename = async (): Promise<void> => {
      await write(partFile)
      await fs.promises.rename(partFile, target)
    }
    try {
      // Folders usually exist, so they are created only after a failure.
      await writeAndRename().catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        await fs.promises.mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
        await writeAndRename()
      })
    } catch (error) {
      await fs.promises.rm(partFile, { force: true })
      throw error
    }
  }
  const readEntries = (folder: string): Promise<fs.Dirent[]> =>
    fs.promises.readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
  const readInfo = async (key: string): Promise<BlobInfo | null> => {
    const stat = await fs.promises.stat(toPath(key)).catch(toNullIfMissing)
    return stat?.isFile() ? { key, bytes: stat.size, modified: stat.mtime } : null
  }
  async function* list(folder: string): AsyncGenerator<BlobInfo> {
    const entries = (await readEntries(toPath(folder))).map((entry) => ({
      name: entry.isDirectory() ? `${entry.name}/` : entry.name,
      isFolder: entry.isDirectory(),
    }))
    for (const { name, isFolder } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      if (isFolder) yield* list(folder + name)
      else if (!name.endsWith(partSuffix)) {
        const info = await readInfo(folder + name)
        if (info) yield info
      }
  }
  return {
    name: root,
    directory: root,
    put: (key, bytes) =>
      writeAtomically(key, (partFile) =>
        fs.promises.writeFile(partFile, bytes, { mode: 0o600, flush: true }),
      ),
    putFile: (key, file, { retainsOriginal = false } = {}) =>
      writeAtomically(key, async (partFile) => {
        if (retainsOriginal) return fs.promises.copyFile(file, partFile)
        try {
          await fs.promises.rename(file, partFile)
        } catch (error) {
          // A file on another file system cannot be renamed, only copied.
          if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
          await fs.promises.copyFile(file, partFile)
          await fs.promises.rm(file, { force: true })
        }
      }),
    async get(key) {
      const handle = await fs.promises.open(toPath(key)).catch(toNullIfMissing)
      if (!handle) return null
      if ((await handle.stat()).isFile()) return handle.createReadStream({ highWaterMark: 1 << 18 })
      await handle.close()
      return null
    },
    localFile: async (key) => ((await readInfo(key)) ? toPath(key) : null),
    head: readInfo,
    delete: (key) => fs.promises.rm(toPath(key), { force: true }),
    async deleteAll(folder) {
      await fs.promises.rm(toPath(folder), { recursive: true, force: true })
      // Also removes the parent folder if it is empty now; fails harmlessly otherwise.
      await fs.promises.rmdir(path.dirname(toPath(folder))).catch(() => undefined)
    },
    list,
    folders: async (folder) =>
      (await readEntries(toPath(folder)))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    signedUrl: () => null,
  }
}
