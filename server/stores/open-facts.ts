import path from 'node:path'
import { openEmbeddedEngine } from './embedded-engine.ts'
import { type Facts, factsOn } from './facts.ts'
import { migrateFacts } from './migrate-facts.ts'
import { openServerEngine } from './server-engine.ts'

/** Opens ClickHouse: a server by URL, else in this process under the data directory; migrated. */
export async function openFacts({
  clickhouseUrl,
  dataDir,
}: {
  clickhouseUrl: string | null
  dataDir: string
}): Promise<Facts> {
  const engine = clickhouseUrl
    ? openServerEngine(clickhouseUrl)
    : openEmbeddedEngine(path.join(dataDir, 'facts'))
  await migrateFacts(engine)
  return factsOn(engine)
}
