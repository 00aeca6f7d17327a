import type { ImportSource } from '#contract/policy-import.ts'

const mostBytes = 15 * 1024 * 1024

export interface FilesFault {
  fault: 'needTwo' | 'noJson' | 'tooLarge'
  name: string
}

/** Which of the two an MDS answer is, wrapped in `data` or not. */
function kindOf(body: unknown): 'policies' | 'geographies' | null {
  if (typeof body !== 'object' || body === null) return null
  const inner: unknown =
    'data' in body && typeof body.data === 'object' && body.data !== null ? body.data : body
  return 'policies' in (inner as object)
    ? 'policies'
    : 'geographies' in (inner as object)
      ? 'geographies'
      : null
}

/** Two files told apart by what is in them; a fault where they are not the two that are needed. */
export async function sourceOfFiles(files: readonly File[]): Promise<ImportSource | FilesFault> {
  const found: { policies?: unknown; geographies?: unknown; name: string } = { name: '' }
  for (const file of files) {
    if (file.size > mostBytes) return { fault: 'tooLarge', name: file.name }
    let body: unknown
    try {
      body = JSON.parse(await file.text())
    } catch {
      return { fault: 'noJson', name: file.name }
    }
    const kind = kindOf(body)
    if (kind) found[kind] = body
    if (kind === 'policies') found.name = file.name
  }
  return found.policies && found.geographies
    ? { file_name: found.name, policies: found.policies, geographies: found.geographies }
    : { fault: 'needTwo', name: '' }
}
