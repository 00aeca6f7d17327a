import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsRule } from './mds-policy.ts'
import { SeenTime } from './geography.ts'
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

/** A policy that came from the source before, as it is here now. */
export const PreviousImport = z.object({
  constant_policy_uuid: z.uuid(),
  policy_name: z.string(),
  modified_time: z.string(),
  /** Its newest revision is published: what is taken over becomes a draft beside it. */
  is_published: z.boolean(),
  /** The feed says something else than when it came in. */
  is_changed: z.boolean(),
  /** Somebody changed it here since. */
  is_edited: z.boolean(),
})
export type PreviousImport = z.infer<typeof PreviousImport>

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
    /** Null: it was not imported from there before. */
    here: PreviousImport.nullable(),
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

const importRequest = z.object({ region_id: z.string(), source: ImportSource })

export const previewPolicyImport = endpoint({
  method: 'POST',
  path: '/policies/import/preview',
  permission: 'edit_policy',
  longBody: true,
  reads: true,
  summary: 'What a feed of MDS Policy of another agency holds; nothing is stored',
  ask: { body: importRequest },
  answer: ImportPreview,
})
export const importPolicies = endpoint({
  method: 'POST',
  path: '/policies/import',
  permission: 'edit_policy',
  longBody: true,
  summary: 'Import policies of another agency as drafts, their geographies as a layer',
  ask: {
    body: importRequest
      .extend({
        digest: z.string(),
        policy_ids: z.array(z.string()).max(2000),
        agency_name: z.string().trim().min(1).max(200),
        /** Policies that are here and that the feed changed since: they become what the feed says, as drafts, whatever was changed here. A 409 where one was changed here since `if_modified_time`. */
        updates: z
          .array(z.object({ policy_id: z.string(), if_modified_time: SeenTime }))
          .max(2000)
          .default([]),
      })
      .refine(({ policy_ids: ids, updates }) => ids.length + updates.length > 0, 'Name at least one policy'),
  },
  /** `skipped`: imported before. The layer is null where no policy needs a new one. */
  answer: z.object({
    imported: z.number().int(),
    updated: z.number().int(),
    skipped: z.number().int(),
    shape_layer_uuid: z.uuid().nullable(),
  }),
})
