import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsRule } from './mds-policy.ts'
import { LocalDay } from './period.ts'

/** Where policies of another agency come from: a feed of MDS Policy 2.0 or 1.2, or its answers as files, parsed. */
export const ImportSource = z.union([
  z.object({
    policies_url: z.url().max(2000),
    /** Without it the geographies are looked for beside the policies. */
    geographies_url: z.url().max(2000).nullish(),
  }),
  z.object({ file_name: z.string().trim().min(1).max(255), policies: z.unknown(), geographies: z.unknown() }),
])
export type ImportSource = z.infer<typeof ImportSource>

/** A policy of the source, before anything of it is stored. */
export const FoundPolicy = z
  .object({
    policy_id: z.string(),
    policy_name: z.string(),
    description: z.string(),
    /** The type of ours that it equals; null: it is kept as MDS rules. */
    policy_type: z.string().nullable(),
    rules: z.array(MdsRule),
    currency: z.string(),
    start_date: LocalDay.nullable(),
    end_date: LocalDay.nullable(),
    is_expired: z.boolean(),
    places: z.array(z.object({ geography_id: z.string(), name: z.string() })),
    /** Providers that it names and that no operator here has as its id. */
    unknown_providers: z.array(z.string()),
    /** Why it cannot be imported, each with the field where the fault lies; empty where it can. */
    faults: z.array(z.object({ field: z.string(), message: z.string() })),
    /** It was imported from there before. That policy is left as it is. */
    is_known: z.boolean(),
  })
  .meta({ id: 'FoundPolicy' })
export type FoundPolicy = z.infer<typeof FoundPolicy>

export const ImportPreview = z.object({
  source: z.string(),
  /** As the feed says it. */
  version: z.string(),
  /** Of what was found; an import names it, so that nothing else is imported than what was looked at. */
  digest: z.string(),
  suggested_agency: z.string(),
  policies: z.array(FoundPolicy),
})
export type ImportPreview = z.infer<typeof ImportPreview>

const asked = z.object({ region_id: z.string(), source: ImportSource })

export const previewPolicyImport = endpoint({ method: 'POST', path: '/policies/import/preview', permission: 'edit_policy', longBody: true, reads: true, summary: 'What a feed of MDS Policy of another agency holds; nothing is stored', ask: { body: asked }, answer: ImportPreview })
export const importPolicies = endpoint({
  method: 'POST', path: '/policies/import', permission: 'edit_policy', longBody: true, summary: 'Import policies of another agency as drafts, their geographies as a layer',
  ask: { body: asked.extend({ digest: z.string(), policy_ids: z.array(z.string()).min(1).max(2000), agency_name: z.string().trim().min(1).max(200) }) },
  /** `skipped`: imported before. The layer is null where no policy needs one. */
  answer: z.object({ imported: z.number().int(), skipped: z.number().int(), shape_layer_uuid: z.uuid().nullable() }),
})
