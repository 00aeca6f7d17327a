export const incidentSeverities = ['critical', 'warning'] as const
export type IncidentSeverity = (typeof incidentSeverities)[number]

/** A rule that opens incidents. `subject`: one feed, or an operator with all of its feeds. */
export interface IncidentRuleDefinition {
  name: string
  subject: 'feed' | 'operator'
  severity: IncidentSeverity
  /** Conditions under which the incident opens and closes, each in a sentence. */
  opens: string
  closes: string
  unit: 'minutes' | 'promises' | 'hours' | 'percent'
}

/** Hours of the window that rules evaluate. */
export const ruleHours = 6
/** A closed incident that recurs within this many hours is reopened; later, a new one is opened. */
export const reopenHours = 6

/** The rules that open incidents automatically. Their limits are in server/health/incidents/rules.ts. */
export const incidentRules = {
  feed_failing: {
    name: 'Feed fails',
    subject: 'feed',
    severity: 'critical',
    unit: 'minutes',
    opens: 'The feed has failed for more than 30 minutes.',
    closes: 'The feed responds again.',
  },
  feed_late: {
    name: 'Feed is late',
    subject: 'feed',
    severity: 'warning',
    unit: 'promises',
    opens: 'The newest record is older than twice the limit, in an hour that typically has records.',
    closes: 'The newest record is within the limit.',
  },
  gap: {
    name: 'Hours without data',
    subject: 'operator',
    severity: 'critical',
    unit: 'hours',
    opens:
      'The latest complete hour has no records and typically has some. Hours without data are counted from the last record, which is older than the incident.',
    closes: 'The latest complete hour has records again.',
  },
  volume_low: {
    name: 'Far fewer records than typical',
    subject: 'operator',
    severity: 'warning',
    unit: 'percent',
    opens: 'The last 24 hours have under 50% of the records typical for the same hours.',
    closes: 'They have 60% or more again.',
  },
  volume_high: {
    name: 'Far more records than typical',
    subject: 'operator',
    severity: 'warning',
    unit: 'percent',
    opens: 'The last 24 hours have over 200% of the records typical for the same hours.',
    closes: 'They have 180% or less again.',
  },
  illegal_transitions: {
    name: 'Illegal transitions',
    subject: 'operator',
    severity: 'warning',
    unit: 'percent',
    opens: 'Over 5% of the transitions of the last 6 hours are illegal.',
    closes: '4% or less are illegal again.',
  },
  schema_violations: {
    name: 'Schema violations',
    subject: 'feed',
    severity: 'warning',
    unit: 'percent',
    opens: 'Over 1% of the records received in the last 6 hours do not conform to the standard.',
    closes: '0.8% or less do not conform again.',
  },
  clock_skew: {
    name: 'Clock skew',
    subject: 'feed',
    severity: 'warning',
    unit: 'percent',
    opens: 'Over 1% of the records received in the last 6 hours are dated after their receipt.',
    closes: '0.8% or less are dated after their receipt again.',
  },
  trips_without_end: {
    name: 'Trips without end',
    subject: 'operator',
    severity: 'warning',
    unit: 'percent',
    opens: 'Over 2% of the trips that began 24 to 30 hours ago have no end.',
    closes: '1.5% or less have no end again.',
  },
} as const satisfies Record<string, IncidentRuleDefinition>

export type IncidentRule = keyof typeof incidentRules
export const incidentRuleNames = Object.keys(incidentRules) as [IncidentRule, ...IncidentRule[]]
