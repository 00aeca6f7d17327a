import type { MdsContext } from '#server/ingest/mds/mds-context.ts'
import type { Push } from './agency.ts'

/** As whose records a push is read. */
export const contextOf = ({ pusher: { operator, providerId, mode }, received }: Push): MdsContext => ({
  operator,
  providerId,
  received,
  ...(mode ? { mode } : {}),
})
