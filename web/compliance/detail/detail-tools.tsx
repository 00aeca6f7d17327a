import { Button } from '@mantine/core'
import { IconFlask, IconPrinter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ComplianceRecord, defaultCompliancePeriod, maxComplianceDays } from '#contract/compliance.ts'
import type { StoredPolicy } from '#contract/policies.ts'
import type { LocalDay } from '#contract/period.ts'
import { type Period, periodState } from '#web/filters/period.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { ShareButton } from '#web/filters/share-button.tsx'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { toTableFile, getTableFormats } from '#web/kit/table-file.ts'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { policyAddress } from '#web/policies/policy-address.ts'
import { formatPolicyType } from '#web/policies/type-text.ts'
import type { PolicyTextContext } from '#web/policies/policy-text-context.ts'
import { useOfferedOperators } from '#web/policies/use-offered-operators.ts'
import type { DetailSearch } from '../compliance-search.ts'
import { fileName } from '../file-name.ts'
import styles from './detail.module.css'
import { getRecordFileColumns } from './record-columns.tsx'

interface Props {
  policy: StoredPolicy
  regionId: string
  context: PolicyTextContext
  search: DetailSearch
  change: (changes: Partial<DetailSearch>) => void
  period: Period
  today: LocalDay
  records: readonly ComplianceRecord[]
}

/** Period, operators and downloads. */
export function DetailTools({ policy, regionId, context, search, change, period, today, records }: Props) {
  const { t } = useTranslation()
  const { operators = [] } = search
  const options = useOfferedOperators(policy, regionId, operators)
  const operatorsError = useOperators(regionId).error
  // Policy title, policy name, operator and date range.
  const name = fileName([
    formatPolicyType(t, policy.policy_type),
    policy.policy_name,
    operators.length ? operators.map(context.operatorName).join('+') : t('policies:all.operators'),
    period.start_date,
    period.end_date,
  ])
  return (
    <div className={styles['tools']}>
      <DateRangePicker
        label={t('compliance:period')}
        range={{ from: period.start_date, to: period.end_date }}
        today={today}
        maxDate={today}
        rangeLimit={maxComplianceDays}
        requireDates
        onChange={({ from, to }) => {
          if (from !== null && to !== null)
            change({
              ...periodState({ start_date: from, end_date: to }, today, defaultCompliancePeriod),
              date: undefined,
              operator: undefined,
              page: undefined,
            })
        }}
      />
      <MultiDropdown
        label={t('policies:filter.operators')}
        placeholder={t('policies:all.operators')}
        options={options}
        value={operators}
        error={operatorsError?.message ?? null}
        onChange={(value) =>
          change({ operators: value, operator: undefined, date: undefined, page: undefined })
        }
      />
      <div className={styles['buttons']}>
        {policy.is_deleted ? null : (
          <Button
            variant="default"
            component={Link}
            to={policyAddress(regionId, policy.constant_policy_uuid)}
            search={{ try: true } as never}
            leftSection={<IconFlask size={18} />}
          >
            {t('compliance:try.open')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} />}
          disabled={records.length === 0}
          onClick={() => change({ report: true })}
        >
          {t('compliance:report.open')}
        </Button>
        <ShareButton variant="default" period={period} />
        <DownloadButton
          variant="default"
          label={t('kit:download')}
          disabled={records.length === 0}
          formats={getTableFormats(t, {
            fileName: name,
            load: () => toTableFile(records, getRecordFileColumns(t)),
          })}
        />
      </div>
    </div>
  )
}
