import { MdsPolicy } from '#contract/mds-policy.ts'
import { localDay } from '#contract/period.ts'
import { emptyPolicy, type PolicyFields, getPolicyStatus } from '#contract/policy.ts'
import type { FoundPolicy } from '#contract/policy-import.ts'
import { matchPolicyType } from './match-policy-type.ts'
import type { Place } from './read-geographies.ts'

/** The context in which policies of a source are parsed. */
export interface ReadContext {
  source: string
  agency: string
  places: ReadonlyMap<string, Place>
  /** Slugs of operators by their MDS provider id. */
  operators: ReadonlyMap<string, string>
  region: { currencyCode: string; timezone: string }
  today: string
}

/** A parsed policy: its entry in the list, and its fields without shapes, null if it has `faults`. */
export interface ReadPolicy {
  found: FoundPolicy
  fields: PolicyFields | null
  /** Ids, in the source, of policies that it supersedes. */
  previous: readonly string[]
}

type Problems = FoundPolicy['faults']

/** Maximum length of ids and names. */
const maxTextLength = 255
const maxDescriptionLength = 4000
/** Maximum number of problems that are listed for a policy. */
const maxProblems = 10
/** The last millisecond of the year 9999. */
const lastTime = 253_402_300_799_999
/** Policies with more rules are not imported. */
const maxRules = 2000
const isTime = (time: number): boolean => time >= 0 && time <= lastTime
/** Returns a text field of an unvalidated object, shortened; empty if it has none. */
const readText = (raw: unknown, field: string): string =>
  (typeof raw === 'object' && raw !== null && typeof (raw as Record<string, unknown>)[field] === 'string'
    ? ((raw as Record<string, unknown>)[field] as string)
    : ''
  ).slice(0, maxTextLength)

/** Returns the entry of a policy that cannot be imported. */
function toInvalidPolicy(raw: unknown, problems: Problems, index: number): ReadPolicy {
  const id = readText(raw, 'policy_id') || `policies.${index}`
  const listedPolicy = {
    policy_id: id,
    policy_name: readText(raw, 'name') || id,
    description: '',
    policy_type: null,
    rules: [],
    currency: 'USD',
    start_date: null,
    end_date: null,
    is_expired: false,
    places: [],
    unknown_providers: [],
    faults: problems.slice(0, maxProblems),
    here: null,
  }
  return { found: listedPolicy, fields: null, previous: [] }
}

/** Finds the problems because of which a policy cannot be imported. */
function findProblems(
  { rules, start_date: start, end_date: end, currency, policy_id: id }: MdsPolicy,
  places: ReadContext['places'],
): Problems {
  const problems: Problems = []
  if (id.length > maxTextLength)
    problems.push({ field: 'policy_id', message: `is longer than ${maxTextLength} characters` })
  if (!rules.length) problems.push({ field: 'rules', message: 'is empty: it revokes an earlier policy' })
  if (rules.length > maxRules) problems.push({ field: 'rules', message: `has more than ${maxRules} entries` })
  if (!isTime(start)) problems.push({ field: 'start_date', message: 'is not a time in milliseconds' })
  if (end != null && !isTime(end))
    problems.push({ field: 'end_date', message: 'is not a time in milliseconds' })
  if (currency != null && !/^[A-Z]{3}$/.test(currency))
    problems.push({ field: 'currency', message: 'is not a currency code' })
  rules.forEach(({ geographies }, index) => {
    if (!geographies.length)
      problems.push({ field: `rules.${index}.geographies`, message: 'names no geography' })
  })
  for (const geography of new Set(rules.flatMap(({ geographies }) => geographies))) {
    const place = places.get(geography)
    if (!place)
      problems.push({ field: 'geographies', message: `There is no geography ${geography.slice(0, 60)}` })
    else if (place.problem)
      problems.push({ field: 'geographies', message: `“${place.name}” ${place.problem}` })
  }
  return problems.slice(0, maxProblems)
}

/** Parses a policy in the format of MDS 2.0. Never throws: errors are listed in its `faults`. */
export function readImportedPolicy(raw: unknown, index: number, context: ReadContext): ReadPolicy {
  const parsed = MdsPolicy.safeParse(raw)
  if (!parsed.success)
    return toInvalidPolicy(
      raw,
      parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
      index,
    )
  const policy = parsed.data
  const problems = findProblems(policy, context.places)
  if (problems.length) return toInvalidPolicy(policy, problems, index)

  const { region, places, operators } = context
  const { rules, policy_id: id } = policy
  const currency = policy.currency ?? 'USD'
  const geographies = [...new Set(rules.flatMap((rule) => rule.geographies))].map((geography) => ({
    geography_id: geography,
    name: places.get(geography)?.name ?? geography,
  }))
  const slugs = (policy.provider_ids ?? []).map((provider) => operators.get(provider) ?? null)
  const unknownProviders = (policy.provider_ids ?? []).filter((_, index) => slugs[index] === null)
  const isPayable = currency === region.currencyCode || rules.every(({ rate_amount: rate }) => rate == null)
  const isEntireArea =
    geographies.length === 1 && places.get(geographies[0]?.geography_id ?? '')?.isEntireArea === true
  // Unknown operators and amounts in another currency cannot be expressed by our policy types.
  const matchedFields =
    unknownProviders.length || !isPayable
      ? null
      : matchPolicyType(rules, { geographies, isEntireArea, currency: region.currencyCode })
  const fields: PolicyFields = {
    ...(matchedFields ?? { ...emptyPolicy(), policy_type: 'unknown' }),
    policy_name: policy.name.trim().slice(0, maxTextLength) || id,
    description: policy.description?.trim().slice(0, maxDescriptionLength) || null,
    operators: matchedFields ? slugs.filter((slug) => slug !== null) : [],
    start_date: localDay(new Date(policy.start_date), region.timezone),
    end_date:
      policy.end_date == null
        ? null
        : localDay(new Date(Math.max(policy.start_date, policy.end_date - 1)), region.timezone),
    agency_name: context.agency,
    imported_source: context.source,
    imported_policy_id: id,
    imported_mds: matchedFields
      ? null
      : {
          rules,
          currency,
          provider_ids: policy.provider_ids ?? [],
          places: geographies.map((place) => ({ ...place, shape_uuids: [] })),
        },
  }
  const { policy_name, description, start_date, end_date } = fields
  const listedPolicy: FoundPolicy = {
    policy_id: id,
    policy_name,
    description: description ?? '',
    policy_type: matchedFields?.policy_type ?? null,
    rules,
    currency,
    start_date,
    end_date,
    places: geographies,
    unknown_providers: unknownProviders,
    faults: [],
    is_expired: getPolicyStatus({ end_date, published: false }, context.today) === 'expired',
    here: null,
  }
  return { found: listedPolicy, fields, previous: policy.prev_policies ?? [] }
}
