import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettings, FeatureKey } from '#contract/settings.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

/** The switches of an organization in the specification's groups (1-product, section 3); those of security stand in their own part of the form. */
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

type FlagGroup = keyof typeof flagGroups

interface Props {
  group: FlagGroup
  settings: OrganizationSettings
  issues: ReadonlyMap<string, string>
  onChange: (part: Partial<OrganizationSettings>) => void
}

/** The switches of one group, each with what it switches. */
export function FlagSwitches({ group, settings, issues, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="md">
      {flagGroups[group].map((key) => (
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
}
