import { createHash } from 'node:crypto'
import type { ImportSource } from '#contract/policy-import.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { Problem } from '#server/http/problem.ts'
import { geographiesBeside } from './beside.ts'
import { fetchDocument } from './fetch-document.ts'
import { laterWords } from './later-words.ts'
import { readBody } from './read-body.ts'

/** What a source holds, unchecked, policies in the words of MDS 2.0. */
export interface SourceContent {
  /** Its address, or the file's name. */
  source: string
  agency: string
  version: string
  digest: string
  policies: unknown[]
  geographies: unknown[]
}

async function fetchBeside(fetch: GuardedFetch, policiesUrl: string): Promise<unknown> {
  for (const url of geographiesBeside(policiesUrl)) {
    try {
      const body = await fetchDocument(fetch, url, 'geographies_url')
      readBody('geographies', body)
      return body
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  const message = 'No geographies are beside these policies. Give their address.'
  throw new Problem('validation_error', message, [{ path: 'body.source.geographies_url', message }])
}

async function bodiesOf(
  fetch: GuardedFetch,
  source: ImportSource,
): Promise<{ name: string; agency: string; policies: unknown; geographies: unknown }> {
  if ('file_name' in source)
    return {
      name: source.file_name,
      agency: source.file_name.replace(/\.json$/i, ''),
      policies: source.policies,
      geographies: source.geographies,
    }
  const { policies_url: url, geographies_url: beside } = source
  const policies = await fetchDocument(fetch, url, 'policies_url')
  readBody('policies', policies)
  return {
    name: url,
    agency: new URL(url).hostname,
    policies,
    geographies: beside
      ? await fetchDocument(fetch, beside, 'geographies_url')
      : await fetchBeside(fetch, url),
  }
}

/** Reads a source. Throws a Problem that names what is wrong and where. */
export async function readSource(fetch: GuardedFetch, source: ImportSource): Promise<SourceContent> {
  const { name, agency, policies, geographies } = await bodiesOf(fetch, source)
  const read = readBody('policies', policies)
  const { items } = readBody('geographies', geographies)
  const digest = createHash('sha256')
    .update(JSON.stringify([read.items, items]))
    .digest('hex')
  return {
    source: name,
    agency,
    version: read.version,
    digest,
    policies: read.items.map(laterWords),
    geographies: items,
  }
}
