import type { IssueStatus } from '#contract/issues.ts'

const open = /\b(un|not\s|non[- ]?|re-?|in)(resolved|completed?|closed|finished|opened)\b|\bre-?open/i
const closed =
  /clos|resolv|complet|\bdone\b|finish|cancel|duplicat|archiv|invalid|no action|not found|rejected|fixed|abandoned|transferred out|cerrad|resuelt|conclu|ferm[ée]|r[ée]sol|abgeschlossen|erledigt|geschlossen|afgehandeld|chius|risolt|conclu[ií]d/i

/** Whether a status in a city's words means that nothing more is done. `DUPLICATE (OPENED)` does: the request goes on under another number. */
export const statusOf = (text: string): IssueStatus =>
  !open.test(text) && closed.test(text) ? 'closed' : 'open'
