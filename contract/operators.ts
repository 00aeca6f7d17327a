import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { pageQuery, pageSchema } from './page.ts'

export const unknownOperatorText = 'Unknown Operator'

export const operatorSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'Lowercase letters, digits, dashes and underscores, at most 60')

export const Operator = z
  .object({ slug: operatorSlug, name: z.string(), colorHex: z.string().regex(/^#[0-9A-Fa-f]{6}$/) })
  .meta({ id: 'Operator' })
export type Operator = z.infer<typeof Operator>

/** Names of common operators by slug, used unless an administrator has named them. */
const displayNames: Readonly<Record<string, string>> = {
  beam: 'Beam',
  bird: 'Bird',
  bolt: 'Bolt',
  byrd: 'Byrd',
  cooltra: 'Cooltra',
  dott: 'Dott',
  felyx: 'felyx',
  flamingo: 'Flamingo',
  gotcha: 'Gotcha',
  helbiz: 'Helbiz',
  hopr: 'HOPR',
  jump: 'JUMP',
  lime: 'Lime',
  link: 'LINK',
  lyft: 'Lyft',
  neuron: 'Neuron',
  nextbike: 'nextbike',
  ojo: 'OjO',
  razor: 'Razor',
  revel: 'Revel',
  ryde: 'Ryde',
  skip: 'Skip',
  spin: 'Spin',
  superpedestrian: 'Superpedestrian',
  tier: 'TIER',
  uber: 'Uber',
  veo: 'Veo',
  veoride: 'Veo',
  voi: 'Voi',
  wheels: 'Wheels',
}

/** Returns an operator's default name: the common name for its slug, or the slug's words, capitalized. */
export function getDefaultOperatorName(slug: string): string {
  if (slug === '' || slug === 'unknown') return unknownOperatorText
  const commonName = Object.hasOwn(displayNames, slug) ? displayNames[slug] : undefined
  return (
    commonName ??
    slug
      .split(/[-_]/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ')
  )
}

/** Returns the name of an operator on a screen; 'Unknown Operator' if it is not among the known ones. */
export const operatorName = (slug: string, known: readonly Pick<Operator, 'slug' | 'name'>[]): string =>
  known.find((operator) => operator.slug === slug)?.name || unknownOperatorText

export const OperatorOrder = z.enum(['name', '-name', 'slug', '-slug'])

const operatorQuery = { orderBy: OperatorOrder.default('name'), ...pageQuery(50) }

export const listOperators = endpoint({
  route: 'GET /operators',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary:
    'Operators that have a name, a feed, trips or vehicles, in all regions that the viewer may see or in one; with `forLiveMap` those with vehicles',
  request: {
    query: z.object({
      region_id: z.string().optional(),
      forLiveMap: z.stringbool().default(false),
      ...operatorQuery,
    }),
  },
  response: pageSchema(Operator),
})
export const listRegionOperators = endpoint({
  route: 'GET /regions/{region_id}/operators',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary: 'Operators of a region, including those without trips',
  request: {
    params: z.object({ region_id: z.string() }),
    query: z.object({ forLiveMap: z.stringbool().default(false), ...operatorQuery }),
  },
  response: pageSchema(Operator),
})
export const getOperator = endpoint({
  route: 'GET /operators/{slug}',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary: 'One operator',
  request: { params: z.object({ slug: z.string() }) },
  response: Operator,
})
