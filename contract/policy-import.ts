import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsRule } from './mds-policy.ts'
import { SeenTime } from './geography.ts'
import { LocalDay } from './period.ts'

/** Policies of another agency: a feed of MDS Policy 2.0 or 1.2, or its responses as parsed files. */
export const ImportSource = z.union([
  z.object({
    policies_url: z.url().max(2000),
    /** If omitted, the geographies are looked up next to the policies. */
    geographies_url: z.url().max(2000).nullish(),
  }),
  z.object({ file_name: z.string().trim().min(1).max(255), policies: z.unknown(), geographies: z.unknown() }),
])
export type ImportSource = z.infer<typeof ImportSource>

/** A policy that was imported from the source before, in its current local state. */
export const PreviousImport = z.object({
  constant_policy_uuid: z.uuid(),
  policy_name: z.string(),
  modified_time: z.string(),
  /** Whether its newest revision is published, so that an update becomes a draft beside it. */
  is_published: z.boolean(),
  /** Whether the feed differs from the last import. */
  is_changed: z.boolean(),
  /** Whether it was changed locally since the last import. */
  is_edited: z.boolean(),
})
export type PreviousImport = z.infer<typeof PreviousImport>

/** A policy of the source before the import. */
export const FoundPolicy = z
  .object({
    policy_id: z.string(),
    policy_name: z.string(),
    description: z.string(),
    /** The matching type of this app; null: the policy is stored as MDS rules. */
    policy_type: z.string().nullable(),
    rules: z.array(MdsRule),
    currency: z.string(),
    start_date: LocalDay.nullable(),
    end_date: LocalDay.nullable(),
    is_expired: z.boolean(),
    places: z.array(z.object({ geography_id: z.string(), name: z.string() })),
    /** Providers of the policy that match no operator of the organization. */
    unknown_providers: z.array(z.string()),
    /** Invalid fields that prevent the import; empty: it can be imported. */
    faults: z.array(z.object({ field: z.string(), message: z.string() })),
    /** The local policy from an earlier import; null: there is none. */
    here: PreviousImport.nullable(),
  })
  .meta({ id: 'FoundPolicy' })
export type FoundPolicy = z.infer<typeof FoundPolicy>

export const PolicyImportPreview = z.object({
  source: z.string(),
  /** As stated in the feed. */
  version: z.string(),
  /** Hash of the policies found. An import includes it, so that only what was reviewed is imported. */
  digest: z.string(),
  suggested_agency: z.string(),
  policies: z.array(FoundPolicy),
})
export type PolicyImportPreview = z.infer<typeof PolicyImportPreview>

const importRequest = z.object({ region_id: z.string(), source: ImportSource })

export const previewPolicyImport = endpoint({
  route: 'POST /policies/import/preview',
  permission: 'edit_policy',
  longBody: true,
  reads: true,
  summary: 'Policies in the MDS Policy feed of another agency; nothing is stored',
  request: { body: importRequest },
  response: PolicyImportPreview,
})
export const importPolicies = endpoint({
  route: 'POST /policies/import',
  permission: 'edit_policy',
  longBody: true,
  summary: 'Import policies of another agency as drafts, their geographies as a layer',
  request: {
    body: importRequest
      .extend({
        digest: z.string(),
        policy_ids: z.array(z.string()).max(2000),
        agency_name: z.string().trim().min(1).max(200),
        /**
         * Earlier imported policies to update from the feed: drafts with the content of the feed replace
         * local changes. A 409 if a policy was changed locally since `if_modified_time`.
         */
        updates: z
          .array(z.object({ policy_id: z.string(), if_modified_time: SeenTime }))
          .max(2000)
          .default([]),
      })
      .refine(({ policy_ids: ids, updates }) => ids.length + updates.length > 0, 'Name at least one policy'),
  },
  /** `skipped`: policies that were imported before. The layer is null if no policy needs a new one. */
  response: z.object({
    imported: z.number().int(),
    updated: z.number().int(),
    skipped: z.number().int(),
    shape_layer_uuid: z.uuid().nullable(),
  }),
})
