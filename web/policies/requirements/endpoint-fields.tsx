import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RequirableEndpoint } from '#contract/required-endpoints.ts'
import type { RequiredEndpoint } from '#contract/requirements.ts'
import { getDemand, type FieldDemand } from './program-draft.ts'
import styles from './requirements.module.css'

interface Props {
  known: RequirableEndpoint
  /** Null if operators need not provide it. */
  requirement: RequiredEndpoint | null
  onRequire: (isRequired: boolean) => void
  onField: (field: string, demand: FieldDemand) => void
}

/** One endpoint: whether operators must provide it, and which of its fields are required or forbidden. */
export function EndpointFields({
  known: { endpoint, optional, standard },
  requirement,
  onRequire,
  onField,
}: Props) {
  const { t } = useTranslation()
  const fieldsText = requirement
    ? [
        requirement.required_fields.length
          ? t('policies:requirements.fields.required', { count: requirement.required_fields.length })
          : '',
        requirement.disallowed_fields.length
          ? t('policies:requirements.fields.disallowed', { count: requirement.disallowed_fields.length })
          : '',
      ]
        .filter(Boolean)
        .join(', ')
    : ''
  const options = (isOptional: boolean) => [
    {
      value: 'standard',
      label: t(isOptional ? 'policies:requirements.demand.open' : 'policies:requirements.demand.standard'),
    },
    ...(isOptional ? [{ value: 'required', label: t('policies:requirements.demand.required') }] : []),
    { value: 'disallowed', label: t('policies:requirements.demand.disallowed') },
  ]
  return (
    <li className={styles['endpoint']}>
      <Checkbox
        label={<code>{endpoint}</code>}
        description={t(`policies:requirements.endpoint.${endpoint}`)}
        checked={requirement !== null}
        onChange={(event) => onRequire(event.currentTarget.checked)}
      />
      {requirement && optional.length + standard.length > 0 ? (
        <details className={styles['more']}>
          <summary>
            {t('policies:requirements.fields.title', { endpoint })}:{' '}
            {fieldsText || t('policies:requirements.fields.none')}
          </summary>
          <ul className={styles['fields']}>
            {[...optional, ...standard].map((field) => {
              const demand = getDemand(requirement, field)
              return (
                <li key={field} data-demand={demand}>
                  <code>{field}</code>
                  <NativeSelect
                    size="xs"
                    aria-label={t('policies:requirements.fields.of', { endpoint, field })}
                    data={options(optional.includes(field))}
                    value={demand}
                    onChange={(event) => onField(field, event.currentTarget.value as FieldDemand)}
                  />
                </li>
              )
            })}
          </ul>
        </details>
      ) : null}
    </li>
  )
}
