import { useTranslation } from 'react-i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { formatDateRange } from '#web/kit/dates/date-range.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { formatTimeWindow } from './clock-text.ts'
import { formatDaysOfWeek } from './days-text.ts'
import { localeName, shownLocales } from './message-locales.ts'
import { formatPlace } from './place-text.ts'
import { formatPolicyType } from './type-text.ts'
import styles from './view.module.css'
import { formatOperators, formatPropulsionTypes, formatVehicleTypes } from './who-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

interface Props {
  policy: ListedPolicy
  context: PolicyTextContext
  timezone: string
  /** Names of the selected shapes; null if they are unknown or none is selected. */
  shapeNames: readonly string[] | null
}

const formatList = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(names)

/** The details of a policy as terms and descriptions. */
export function PolicyFacts({ policy, context, timezone, shapeNames }: Props) {
  const { t } = useTranslation()
  const messages = shownLocales(policy.messages)
    .filter((locale) => policy.messages[locale])
    .map((locale) =>
      t('policies:view.messageIn', {
        language: localeName(locale, context.language),
        text: policy.messages[locale],
      }),
    )
    .join('\n')
  const facts: [string, string | null][] = [
    ['policy_type', formatPolicyType(t, policy.policy_type)],
    ['description', policy.description],
    ['shape_layer_uuid', formatPlace(policy, context)],
    ['shape_uuids', shapeNames ? formatList(shapeNames, context.language) : null],
    ['operators', formatOperators(policy, context)],
    ['vehicle_types', formatVehicleTypes(policy, context)],
    ['propulsion_types', policy.propulsion_types.length ? formatPropulsionTypes(policy, context) : null],
    ['dates', formatDateRange(t, { from: policy.start_date, to: policy.end_date }, context.language)],
    [
      'days',
      `${formatDaysOfWeek(t, policy.days, context.language)}, ${formatTimeWindow(policy.start_time, policy.end_time)}`,
    ],
    ['messages', messages || null],
    ['agency_name', policy.agency_name],
    ['imported_source', policy.imported_source],
  ]
  const formatAuthor = (email: string | null): string => email ?? t('policies:view.byServer')
  return (
    <>
      <dl className={styles['facts']}>
        {facts.map(([field, text]) =>
          text === null ? null : (
            <div key={field} style={{ display: 'contents' }}>
              <dt>{t(`policies:field.${field}`)}</dt>
              <dd>{text}</dd>
            </div>
          ),
        )}
      </dl>
      <p className={`figures ${styles['made']}`}>
        {t('policies:view.madeBy', {
          when: formatDateTime(policy.created_time, timezone),
          who: formatAuthor(policy.created_by_email),
        })}
        .{' '}
        {t('policies:view.changedBy', {
          when: formatDateTime(policy.modified_time, timezone),
          who: formatAuthor(policy.modified_by_email),
        })}
        .
      </p>
    </>
  )
}
