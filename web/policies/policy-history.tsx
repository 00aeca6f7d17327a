import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listPolicyRevisions, type PolicyRevision } from '#contract/policies.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { fieldName, formatField } from './field-text.ts'
import styles from './view.module.css'
import type { PolicyTextContext } from './policy-text-context.ts'

interface Props {
  constantId: string
  context: PolicyTextContext
  timezone: string
}

/** Every revision of a policy, newest first: author, time and changes from the previous one. */
export function PolicyHistory({ constantId, context, timezone }: Props) {
  const { t } = useTranslation()
  const response = useEndpointQuery(
    listPolicyRevisions,
    { params: { constant_policy_uuid: constantId } },
    { staleTime: 0 },
  )
  const formatEvent = (key: 'changedBy' | 'publishedBy', time: string, email: string | null): string =>
    t(`policies:view.${key}`, {
      when: formatDateTime(time, timezone),
      who: email ?? t('policies:view.byServer'),
    })
  const formatEvents = (revision: PolicyRevision): string[] => [
    formatEvent('changedBy', revision.modified_time, revision.modified_by_email),
    ...(revision.published_time
      ? [formatEvent('publishedBy', revision.published_time, revision.published_by_email)]
      : []),
    ...(revision.unpublished_time
      ? [t('policies:view.unpublishedAt', { when: formatDateTime(revision.unpublished_time, timezone) })]
      : []),
  ]
  const renderChanges = ({ revision, changes: found }: PolicyRevision) =>
    found.length ? (
      <ul className={styles['changes']}>
        {found.map(({ field, before, after }) => (
          <li key={field}>
            {t('policies:view.change', {
              field: fieldName(field, context),
              before: formatField(field, before, context),
              after: formatField(field, after, context),
            })}
          </li>
        ))}
      </ul>
    ) : (
      <Text size="sm" c="dimmed">
        {t(revision === 1 ? 'policies:view.first' : 'policies:view.noChanges')}
      </Text>
    )
  return (
    <Loaded query={response}>
      {({ items }) => (
        <ol className={styles['history']} reversed aria-label={t('policies:view.history')}>
          {items.map((revision) => (
            <li key={revision.policy_uuid}>
              <div className={styles['revision']}>
                <strong>{t('policies:view.revision', { revision: revision.revision })}</strong>
                <span className={styles['state']} data-state={revision.state}>
                  {t(`policies:state.${revision.state}`)}
                </span>
                <Text span size="sm" c="dimmed" className="figures">
                  {formatEvents(revision).join(' · ')}
                </Text>
              </div>
              {renderChanges(revision)}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}
