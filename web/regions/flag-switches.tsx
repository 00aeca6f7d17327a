import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettings, FeatureKey } from '#contract/settings.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import styles from './organization-form.module.css'

/** The switches of an organization in the specification's groups; those of security stand in their own part of the form. */
export const flagGroups = {
  products: ['mobilityManager', 'curbManager', 'home'],
  mobility: [
    'feeSummary',
    'policiesLibrary',
    'complianceReporting',
    'complianceDetails',
    'bikeshareStationReport',
    'export',
    'operators',
    'mobilityMetrics',
    'vehicleAndTripCounts',
    'liveMapMobile',
  ],
  curb: [
    'curbParkingInsights',
    'curbTransactionsTable',
    'curbPricingEngine',
    'curbOccupancy',
    'curbRegulationsLibrary',
    'curbMetricsPage',
    'curbFeesAndRevenue',
    'curbPerformance',
    'curbRegulations',
  ],
} as const satisfies Record<string, readonly FeatureKey[]>

/** Larger groups are folded. */
const maxShown = 4

type FlagGroup = keyof typeof flagGroups

interface Props {
  group: FlagGroup
  settings: OrganizationSettings
  issues: ReadonlyMap<string, string>
  onChange: (part: Partial<OrganizationSettings>) => void
}

/** The switches of one group, each with what it switches; a long group is behind a line that says which are off. */
export function FlagSwitches({ group, settings, issues, onChange }: Props) {
  const { t } = useTranslation()
  const keys = flagGroups[group]
  const off = keys.filter((key) => !settings[key]).map((key) => t(`regions:flag.${key}.name`))
  const switches = (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="md">
      {keys.map((key) => (
        <SettingSwitch
          key={key}
          label={t(`regions:flag.${key}.name`)}
          description={t(`regions:flag.${key}.text`)}
          error={issues.get(key)}
          checked={settings[key]}
          onChange={(event) => onChange({ [key]: event.currentTarget.checked })}
        />
      ))}
    </SimpleGrid>
  )
  if (keys.length <= maxShown) return switches
  return (
    <details className={styles['group']}>
      <summary>
        {off.length === 0
          ? t('regions:flags.all', { count: keys.length })
          : t('regions:flags.off', { names: off.join(', ') })}
      </summary>
      {switches}
    </details>
  )
}
