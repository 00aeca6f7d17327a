import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettings, FeatureKey } from '#contract/settings.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import styles from './organization-form.module.css'

/** The feature switches of an organization, in the specification's groups, except those of security. */
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

/** Larger groups are collapsed. */
const maxExpandedSwitches = 4

type FlagGroup = keyof typeof flagGroups

interface Props {
  group: FlagGroup
  settings: OrganizationSettings
  issues: ReadonlyMap<string, string>
  onChange: (changes: Partial<OrganizationSettings>) => void
}

/** The switches of a group. A large group is collapsed behind a summary of the switches that are off. */
export function FlagSwitches({ group, settings, issues, onChange }: Props) {
  const { t } = useTranslation()
  const keys = flagGroups[group]
  const disabledNames = keys.filter((key) => !settings[key]).map((key) => t(`regions:flag.${key}.name`))
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
  if (keys.length <= maxExpandedSwitches) return switches
  return (
    <details className={styles['group']}>
      <summary>
        {disabledNames.length === 0
          ? t('regions:flags.all', { count: keys.length })
          : t('regions:flags.off', { names: disabledNames.join(', ') })}
      </summary>
      {switches}
    </details>
  )
}
