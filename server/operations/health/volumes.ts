import fs from 'node:fs/promises'
import path from 'node:path'

/** Reads the free and total bytes of a folder's disk; null if unknown. The folder need not exist yet. */
export async function readVolume(folder: string): Promise<{ free: number | null; total: number | null }> {
  try {
    const { bavail, blocks, bsize } = await fs.statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch (error) {
    const parent = path.dirname(folder)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder) return readVolume(parent)
    return { free: null, total: null }
  }
}
