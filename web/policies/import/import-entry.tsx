import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FoundPolicy } from '#contract/policy-import.ts'
import { formatDateRange } from '#web/kit/dates/date-range.ts'
import { mdsRuleWords } from '../mds-rule-words.ts'
import { formatPolicyType } from '../type-text.ts'
import styles from './import.module.css'

type ImportablePolicy = Pick<FoundPolicy, 'faults' | 'here'>

/** Whether a policy can be imported: it is valid, and its current form was not imported before. */
export const canImport = ({ faults, here: previousImport }: ImportablePolicy): boolean =>
  faults.length === 0 && (previousImport === null || previousImport.is_changed)

/** Whether "all" selects it. Policies that were edited after an import are overwritten, so each must be selected. */
export const isSelectedByAll = (policy: ImportablePolicy): boolean =>
  canImport(policy) && policy.here?.is_edited !== true

interface Props {
  policy: FoundPolicy
  isSelected: boolean
  onToggle: () => void
}

/** Maximum number of lines for the rules of a policy. */
const maxLines = 4

/** One policy of a source: its rules as text, the effect of the import, and its errors. */
export function ImportEntry({ policy, isSelected, onToggle }: Props) {
  const { t, i18n } = useTranslation()
  const {
    policy_name: name,
    policy_type: type,
    rules,
    currency,
    places,
    faults,
    start_date: from,
    end_date: to,
    unknown_providers: unknownProviders,
    here: previousImport,
  } = policy
  const ruleLines = mdsRuleWords(
    { rules, currency },
    {
      t,
      language: i18n.language,
      placeName: (id) => places.find((place) => place.geography_id === id)?.name ?? null,
    },
  )
  const effectTexts: string[] = []
  if (previousImport) {
    const { is_changed: isChanged, is_published: isPublished, is_edited: isEdited } = previousImport
    const changedKey = isPublished ? 'changedPublished' : 'changed'
    effectTexts.push(t(`policies:import.${isChanged ? changedKey : 'here'}`))
    if (isEdited) effectTexts.push(t(`policies:import.${isChanged ? 'editedOver' : 'edited'}`))
  }
  return (
    <li className={styles['entry']}>
      <Checkbox
        label={name}
        checked={isSelected}
        disabled={!canImport(policy)}
        onChange={onToggle}
        classNames={{ label: styles['name'] ?? '' }}
      />
      <div className={styles['about']}>
        {faults.length ? (
          <>
            <p className={styles['fault']}>{t('policies:import.faults')}</p>
            <ul className={styles['lines']}>
              {faults.map(({ field, message }) => (
                <li key={`${field} ${message}`}>{t('policies:import.fault', { field, message })}</li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <p className={styles['facts']}>
              <strong>{type === null ? t('policies:import.asMdsRules') : formatPolicyType(t, type)}</strong> ·{' '}
              {formatDateRange(t, { from, to }, i18n.language)}
              {policy.is_expired ? ` · ${t('policies:import.expired')}` : ''}
            </p>
            <ul className={styles['lines']}>
              {ruleLines.slice(0, maxLines).map((line) => (
                <li key={line}>{line}</li>
              ))}
              {ruleLines.length > maxLines ? (
                <li>{t('policies:import.more', { count: ruleLines.length - maxLines })}</li>
              ) : null}
            </ul>
            {type === null ? (
              <p className={styles['facts']}>
                {t('policies:import.keptHint')}{' '}
                {unknownProviders.length
                  ? t('policies:import.providers', { count: unknownProviders.length })
                  : ''}
              </p>
            ) : null}
            {previousImport ? (
              <p className={styles['facts']} data-changed={previousImport.is_changed || undefined}>
                {effectTexts.join(' ')}
              </p>
            ) : null}
          </>
        )}
      </div>
    </li>
  )
}
