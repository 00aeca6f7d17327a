import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const StoreStatus = z.object({
  store: z.enum(['state', 'facts']),
  is_embedded: z.boolean(),
  version: z.string(),
  migrations: z.number().int(),
  pending: z.array(z.string()).meta({ description: 'Migrations that are missing' }),
  bytes: z.number(),
  ok: z.boolean(),
  problem: z.string().nullable(),
})

const VolumeStatus = z.object({
  volume: z.enum(['data', 'backups']),
  free_bytes: z.number().nullable(),
  total_bytes: z.number().nullable(),
})

const FeedHealth = z.object({
  feed_id: z.string(),
  region_id: z.string(),
  operator: z.string().nullable(),
  name: z.string(),
  kind: z.string(),
  last_success: z.iso.datetime().nullable(),
  newest_record: z.iso.datetime().nullable(),
  problem: z.string().nullable(),
})

/** A backup in the folder of backups. */
export const Backup = z
  .object({
    name: z.string(),
    started: z.iso.datetime(),
    ended: z.iso.datetime(),
    bytes: z.number(),
    rows: z.number().meta({ description: 'Rows of all tables of both stores' }),
    is_encrypted: z.boolean(),
    app_version: z.string(),
    verified: z.iso.datetime().nullable(),
    verify_problem: z.string().nullable(),
  })
  .meta({ id: 'Backup' })
export type Backup = z.infer<typeof Backup>

/** State of the server and its parts, for administrators of all regions. */
export const getServerStatus = endpoint({
  route: 'GET /health/server',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Stores, feeds, disk, backups, versions and memory of the server',
  request: {},
  response: z
    .object({
      status: z.enum(['ready', 'not_ready', 'draining']),
      version: z.string(),
      node_version: z.string(),
      started: z.iso.datetime(),
      memory_bytes: z.number().meta({ description: 'Resident memory of the process' }),
      time_zone_data: z.string(),
      stores: z.array(StoreStatus),
      volumes: z.array(VolumeStatus),
      feeds: z.array(FeedHealth),
      backups: z.object({
        scheduled_hour: z.number().int().nullable(),
        is_encrypted: z.boolean(),
        last_problem: z.string().nullable(),
        items: z.array(Backup),
      }),
    })
    .meta({ id: 'ServerStatus' }),
})
export type ServerStatus = z.infer<(typeof getServerStatus)['response']>
