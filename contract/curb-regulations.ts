import { z } from 'zod'
import { CdsPolicyContent, CurbActivity, CurbId } from './cds.ts'
import { PolicyFindingCode, PrecedenceTime } from './curb-rules.ts'
import { endpoint } from './endpoint.ts'
import { SeenTime } from './geography.ts'
import { pageSchema, pageQuery } from './page.ts'
import { PolicyStatus } from './policy.ts'
import { CurbPolicyV2 } from './curb-policy-view.ts'

/** Default page size of lists of regulations. */
export const regulationPageSize = 300
export const regulationOrderKeys = [
  'name',
  'priority',
  'status',
  'zones',
  'length',
  'effective_time',
  'modified_time',
] as const
export type RegulationOrderKey = (typeof regulationOrderKeys)[number]
export const regulationOrders = regulationOrderKeys.flatMap((key) => [key, `-${key}` as const])
export type RegulationOrder = RegulationOrderKey | `-${RegulationOrderKey}`

/** Bands of priorities that cities use. Where rules overlap, the lowest number takes precedence. */
export const priorityBands = [
  { key: 'ban', from: 0, to: 9 },
  { key: 'temporary_allowance', from: 10, to: 19 },
  { key: 'temporary_ban', from: 20, to: 29 },
  { key: 'timed', from: 30, to: 39 },
  { key: 'timed_class_allowance', from: 40, to: 49 },
  { key: 'timed_class_ban', from: 50, to: 59 },
  { key: 'class_allowance', from: 60, to: 69 },
  { key: 'class_ban', from: 70, to: 79 },
  { key: 'timed_general', from: 80, to: 89 },
  { key: 'general', from: 90, to: null },
] as const
export type PriorityBand = (typeof priorityBands)[number]
/** Returns the band that contains a priority; the first one for lower priorities. */
export const getPriorityBand = (priority: number): PriorityBand =>
  priorityBands.findLast(({ from }) => priority >= from) ?? priorityBands[0]

const filterList = <T extends z.ZodType>(item: T) => z.array(item).max(200).default([])

/** Filters of the list of regulations; empty lists do not filter. `text`: part of a name or description. */
const filterFields = {
  text: z.string().max(200).default(''),
  statuses: filterList(PolicyStatus),
  /** Activities of any rule. */
  activities: filterList(CurbActivity),
  user_classes: filterList(z.string().max(100)),
  purposes: filterList(z.string().max(100)),
  /** Whether any rule has a rate above 0. */
  is_paid: z.boolean().nullish(),
  /** Policies that apply to one of these zones now or later, or would if their draft is published. */
  curb_zone_ids: filterList(CurbId),
}
export const RegulationFilter = z.object({
  ...filterFields,
  sort: z.enum(regulationOrders as [RegulationOrder, ...RegulationOrder[]]).default('name'),
  ...pageQuery(regulationPageSize, 1000),
})
export type RegulationFilter = z.infer<typeof RegulationFilter>

/**
 * A regulation: all versions of one curb policy. Lists contain each regulation once, as its draft if it has
 * one; `published_policy_id` is then the current published version.
 */
export const Regulation = CurbPolicyV2.extend({
  /** Shared by all versions. */
  regulation_id: z.string(),
  region_id: z.string(),
  name: z.string(),
  policy: CdsPolicyContent,
  published: z.boolean(),
  published_policy_id: CurbId.nullable(),
  /** The policy that this one replaces or replaced. */
  replaces: CurbId.nullable(),
  /** When the published version takes effect; may be in the future. */
  effective_time: z.string().nullable(),
  /** Number of zones to which it applies; for a draft, will apply. */
  zone_count: z.number().int(),
  /** Total length of these zones. */
  length_m: z.number(),
  created_time: z.string(),
  created_by_email: z.string().nullable(),
  modified_time: z.string(),
  modified_by_email: z.string().nullable(),
  published_time: z.string().nullable(),
  published_by_email: z.string().nullable(),
  is_imported: z.boolean(),
}).meta({ id: 'Regulation' })
export type Regulation = z.infer<typeof Regulation>

/** A regulation with its zones. */
export const RegulationDetail = Regulation.extend({ curb_zone_ids: z.array(CurbId) }).meta({
  id: 'RegulationDetail',
})
export type RegulationDetail = z.infer<typeof RegulationDetail>

/** A changed field. For `curb_zone_ids`, `before` lists the removed zones and `after` the added ones. */
export const RegulationChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })
export type RegulationChange = z.infer<typeof RegulationChange>

export const regulationActs = [
  'saved',
  'published',
  'unpublished',
  'discarded',
  'deleted',
  'imported',
] as const
/** One entry in the history of a regulation. */
export const RegulationRevision = z
  .object({
    revision: z.number().int(),
    act: z.enum(regulationActs),
    curb_policy_id: CurbId,
    name: z.string(),
    time: z.string(),
    by_email: z.string().nullable(),
    /** Only for publications. */
    effective_time: z.string().nullable(),
    changes: z.array(RegulationChange),
  })
  .meta({ id: 'RegulationRevision' })
export type RegulationRevision = z.infer<typeof RegulationRevision>

/** An error or warning about a regulation and the other policies of its zones. */
export const RegulationFinding = z
  .object({
    code: PolicyFindingCode,
    severity: z.enum(['error', 'warning']),
    /** A field of the policy, as in `rules.0.max_stay`. */
    path: z.string(),
    /** In English. */
    message: z.string(),
    /** The other policy, if the finding is about two. */
    other: z.object({ curb_policy_id: CurbId, name: z.string() }).nullable(),
    /** Whether the finding is about `other` but caused by this policy: `other` would never apply anymore. */
    is_about_other: z.boolean(),
    /** Number of zones with the finding; null: it does not depend on zones. */
    zone_count: z.number().int().nullable(),
  })
  .meta({ id: 'RegulationFinding' })
export type RegulationFinding = z.infer<typeof RegulationFinding>

/** Another regulation of the zones that conflicts for the same vehicles at the same times. */
export const RegulationPrecedence = z
  .object({
    other: z.object({ curb_policy_id: CurbId, name: z.string(), priority: z.number().int() }),
    /** Whether the other regulation takes precedence at these times; otherwise this one does. */
    is_other_first: z.boolean(),
    /** Times of the conflict. */
    times: z.array(PrecedenceTime),
    /** False: some of the times are on certain dates only. */
    is_every_week: z.boolean(),
    /** User classes and purposes of the vehicles; empty: all vehicles. */
    users: z.array(z.string()),
    /** Number of zones with the conflict. */
    zone_count: z.number().int(),
  })
  .meta({ id: 'RegulationPrecedence' })
export type RegulationPrecedence = z.infer<typeof RegulationPrecedence>

const regionParams = z.object({ region_id: z.string() })
const policyParams = regionParams.extend({ curb_policy_id: CurbId })
const policyReference = z.object({ curb_policy_id: CurbId })
const seenVersion = { if_modified_time: SeenTime.optional() }
const regulationsPath = '/regions/{region_id}/curb/policies'
const zoneIds = z.array(CurbId).max(100_000)

export const filterCurbPolicies = endpoint({
  route: `POST ${regulationsPath}/filter`,
  permission: 'signed_in',
  scope: 'curb:read',
  reads: true,
  summary: 'Curb regulations, filtered and sorted, in the Policy v2 shape and as CDS policies',
  request: { params: regionParams, body: RegulationFilter },
  response: pageSchema(Regulation),
})
/** Sums of the policies that match a filter. A zone with two rules of one activity counts once. */
export const CurbActivityStatistics = z
  .object({
    total: z.object({ policies: z.number().int(), zones: z.number().int(), length_m: z.number() }),
    items: z.array(
      z.object({
        activity: CurbActivity,
        policies: z.number().int(),
        zones: z.number().int(),
        length_m: z.number(),
        /** Share of the length of all curb zones; null if there are none. */
        share: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'CurbActivityStatistics' })
export type CurbActivityStatistics = z.infer<typeof CurbActivityStatistics>
export const getCurbActivityStatistics = endpoint({
  route: `POST ${regulationsPath}/curb_activity_statistics`,
  permission: 'signed_in',
  reads: true,
  summary: 'Policies, zones and length by activity, of the policies in force that a filter finds',
  request: { params: regionParams, body: z.object(filterFields) },
  response: CurbActivityStatistics,
})
export const getCurbPolicy = endpoint({
  route: `GET ${regulationsPath}/{curb_policy_id}`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'A regulation with its zones, by its own id or that of one of its policies',
  request: { params: policyParams },
  response: RegulationDetail,
})
export const listCurbPolicyRevisions = endpoint({
  route: `GET ${regulationsPath}/{curb_policy_id}/revisions`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'History of a regulation, newest first, with author, time and changes',
  request: { params: policyParams },
  response: z.object({ items: z.array(RegulationRevision) }),
})
/** CDS policies as JSON, or one line per rule as CSV. */
export const downloadCurbPolicies = endpoint({
  route: `GET ${regulationsPath}`,
  permission: 'signed_in',
  summary: 'Curb policies in force as CDS or CSV',
  medias: ['application/json', 'text/csv'],
  request: { params: regionParams, query: z.object({ format: z.enum(['json', 'csv']).default('json') }) },
  response: { media: 'application/json' },
})
export const downloadPoliciesAndZones = endpoint({
  route: `GET ${regulationsPath}_and_zips`,
  permission: 'signed_in',
  summary: 'A zip with the curb policies and zones in force, as CDS, CSV and GeoJSON',
  request: { params: regionParams },
  response: { media: 'application/zip' },
})

/**
 * A policy to save. Without `curb_policy_id` a new regulation is created. A draft is changed in place; for a
 * published policy a draft that replaces it is created. If `if_modified_time` differs from the stored time,
 * nothing is changed, and the response is a 409 with the stored RegulationDetail in `current` (null if it was
 * deleted).
 */
export const RegulationToSave = z.object({
  curb_policy_id: CurbId.nullish(),
  policy: CdsPolicyContent,
  curb_zone_ids: zoneIds,
  ...seenVersion,
})
export type RegulationToSave = z.infer<typeof RegulationToSave>
export const saveCurbPolicy = endpoint({
  route: `POST ${regulationsPath}/save`,
  permission: 'edit_curb_regulations',
  longBody: true,
  summary: 'Save a curb regulation: a new one, a draft in place, or a draft beside a published one',
  request: { params: regionParams, body: RegulationToSave },
  response: RegulationDetail,
})
export const duplicateCurbPolicy = endpoint({
  route: `POST ${regulationsPath}/duplicate`,
  permission: 'edit_curb_regulations',
  summary: 'Save a copy of a curb regulation as a draft without zones',
  request: { params: regionParams, body: policyReference },
  response: RegulationDetail,
})
/**
 * Publishes a draft: from `effective_time` (default: now) it applies to its zones instead of the policy that
 * it replaces. A policy with the same content as a published one receives the id of that one. `published:
 * false` takes a regulation out of force immediately.
 */
export const publishCurbPolicy = endpoint({
  route: `POST ${regulationsPath}/publish`,
  permission: 'edit_curb_regulations',
  summary: 'Publish a curb regulation from a time on, or take it out of force',
  request: {
    params: regionParams,
    body: policyReference.extend({
      published: z.boolean(),
      effective_time: z.iso.datetime().nullish(),
      ...seenVersion,
    }),
  },
  response: RegulationDetail,
})
export const discardCurbDraft = endpoint({
  route: `POST ${regulationsPath}/discard_draft`,
  permission: 'edit_curb_regulations',
  summary: 'Discard the draft beside a published curb policy',
  request: { params: regionParams, body: policyReference.extend(seenVersion) },
  response: RegulationDetail,
})
/** A draft is removed; a published policy ends now and remains in the history. */
export const deleteCurbPolicy = endpoint({
  route: `POST ${regulationsPath}/delete`,
  permission: 'edit_curb_regulations',
  summary: 'Delete a curb regulation',
  request: { params: regionParams, body: policyReference.extend(seenVersion) },
  response: z.object({ deleted: z.boolean() }),
})
export const lintCurbPolicy = endpoint({
  route: `POST ${regulationsPath}/lint`,
  permission: 'signed_in',
  reads: true,
  longBody: true,
  summary:
    'Check a curb policy: overlaps, gaps in rates, contradictions, past dates, and which other policies of its zones take precedence',
  request: {
    params: regionParams,
    body: z.object({
      /** The edited regulation. Its own versions are not compared with each other. */
      curb_policy_id: CurbId.nullish(),
      policy: CdsPolicyContent,
      curb_zone_ids: zoneIds.default([]),
    }),
  },
  response: z.object({
    findings: z.array(RegulationFinding),
    /** Other policies in force in the zones. */
    other_count: z.number().int(),
    precedences: z.array(RegulationPrecedence),
    /** False if the zones have too many different sets of policies to check all of them. */
    is_complete: z.boolean(),
  }),
})
