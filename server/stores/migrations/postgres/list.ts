import { start } from './001-start.ts'
import { geography } from './002-geography.ts'
import { imports } from './003-imports.ts'
import { identity } from './004-identity.ts'
import { feeds } from './005-feeds.ts'
import { regionSettings } from './006-region-settings.ts'
import { feedLeases } from './007-feed-leases.ts'
import { issuesWeather } from './008-issues-weather.ts'
import { health } from './009-health.ts'
import { cubes } from './010-cubes.ts'
import { geographyHistory } from './011-geography-history.ts'
import { routes } from './012-routes.ts'
import { basemap } from './013-basemap.ts'
import { policies } from './014-policies.ts'
import { compliance } from './015-compliance.ts'
import { complianceAlerts } from './016-compliance-alerts.ts'
import { operatorUsers } from './017-operator-users.ts'
import { requirements } from './018-requirements.ts'
import { policyImports } from './020-policy-imports.ts'
import { importAttempts } from './021-import-attempts.ts'
import { importSurvey } from './022-import-survey.ts'

/** In order; all new ones run in one transaction at start. */
export const postgresMigrations: readonly { name: string; sql: string }[] = [
  start,
  geography,
  imports,
  identity,
  feeds,
  regionSettings,
  feedLeases,
  issuesWeather,
  health,
  cubes,
  geographyHistory,
  routes,
  basemap,
  policies,
  compliance,
  complianceAlerts,
  operatorUsers,
  requirements,
  policyImports,
  importAttempts,
  importSurvey,
]
