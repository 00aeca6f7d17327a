import type { PermissionKey } from './permission.ts'

interface ScopeDeclaration {
  /** What a key with this scope can do, as shown in the list of scopes. */
  description: string
  /** The permission that the key's owner needs; null: none. */
  needs: PermissionKey | null
  /** If set, the key belongs to one feed of this kind and acts on behalf of its operator or source. */
  feedKind: 'mds_agency' | 'cds_push' | null
  /** Whether the key must name its regions, because every address of the API contains a region. */
  needsRegions: boolean
  /** Whether a key may be limited to one operator. */
  canBeLimitedToOperator: boolean
}

const read = (description: string, needs: PermissionKey | null = null): ScopeDeclaration => ({
  description,
  needs,
  feedKind: null,
  needsRegions: false,
  canBeLimitedToOperator: true,
})
const standard = (description: string): ScopeDeclaration => ({
  ...read(description, 'is_admin'),
  needsRegions: true,
  canBeLimitedToOperator: false,
})
const push = (description: string, feedKind: 'mds_agency' | 'cds_push'): ScopeDeclaration => ({
  ...read(description, 'is_admin'),
  feedKind,
  canBeLimitedToOperator: false,
})

/** What API keys may be allowed to do. A key never has more rights than its owner at the time of a call. */
export const apiScopes = {
  'geographies:read': read('Read layers and shapes, and geographies as MDS Geography'),
  'policies:read': read('Read published policies as MDS Policy, and policies of the region'),
  'metrics:read': read('Read measures of trips, fleets and parking'),
  'routes:read': read('Read routes and volumes of streets'),
  'mds.provider:read': read('Read operators, vehicles and the state of their feeds'),
  'exports:read': read('Download raw data'),
  'curb:read': read('Read curb zones, regulations and occupancy'),
  'invoices:read': read('Read invoices and their lines'),
  'users:write': { ...read('Invite users and read roles', 'is_admin'), canBeLimitedToOperator: false },
  'mds.agency:write': push('Send vehicles, events, telemetry, trips and stops (MDS Agency)', 'mds_agency'),
  'curb.events:write': push('Send events of sensors and fleets at the curb (CDS Events)', 'cds_push'),
  'payments:write': standard('Send payments at the curb'),
  'mds.metrics:read': { ...standard('Read MDS Metrics'), canBeLimitedToOperator: true },
  'curb.events:read': standard('Read events at the curb (CDS Events)'),
  'curb.metrics:read': standard('Read CDS Metrics'),
} as const satisfies Record<string, ScopeDeclaration>
export type ApiScope = keyof typeof apiScopes
export const apiScopeNames = Object.keys(apiScopes) as [ApiScope, ...ApiScope[]]

/** Multiples of the standard limits in `apiLimits`, by class of key. Vehicle feeds call often. */
export const rateClasses = { standard: 1, high: 10, feed: 50 } as const
export type RateClass = keyof typeof rateClasses
export const rateClassNames = Object.keys(rateClasses) as [RateClass, ...RateClass[]]

/** Calls per minute for keys of the class `standard`. Heavy calls of a key run one at a time. */
export const apiLimits = { read: 600, write: 120, heavy: 6 } as const
export type ApiCallKind = keyof typeof apiLimits
