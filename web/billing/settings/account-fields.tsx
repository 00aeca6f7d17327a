import { SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BillingSettings } from '#contract/billing-settings.ts'
import { withCode } from './settings-issues.ts'
import { chargedTypes } from './tax-fields.tsx'

type Codes = BillingSettings['account_codes']

interface Props {
  codes: Codes
  issues: ReadonlyMap<string, string>
  onChange: (codes: Codes) => void
}

const maxCodeLength = 20

/** Account codes of the city's finance system, for the journal. */
export function AccountFields({ codes, issues, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      {chargedTypes.map((type) => (
        <TextInput
          key={type}
          label={t('billing:settings.accounts.revenue', { type: t(`billing:policyType.${type}`) })}
          maxLength={maxCodeLength}
          value={codes.revenue[type] ?? ''}
          error={issues.get(`account_codes.revenue.${type}`)}
          onChange={(event) =>
            onChange({ ...codes, revenue: withCode(codes.revenue, type, event.currentTarget.value.trim()) })
          }
        />
      ))}
      {(['receivable', 'payment', 'tax'] as const).map((key) => (
        <TextInput
          key={key}
          label={t(`billing:settings.accounts.${key}`)}
          maxLength={maxCodeLength}
          value={codes[key] ?? ''}
          error={issues.get(`account_codes.${key}`)}
          onChange={(event) => onChange({ ...codes, [key]: event.currentTarget.value.trim() || null })}
        />
      ))}
    </SimpleGrid>
  )
}
