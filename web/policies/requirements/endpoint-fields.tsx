import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RequirableEndpoint } from '#contract/required-endpoints.ts'
import type { RequiredEndpoint } from '#contract/requirements.ts'
import { getFieldRequirement, type FieldRequirement } from './program-draft.ts'
import styles from './requirements.module.css'

interface Props {
  endpointSpec: RequirableEndpoint
  /** Null if operators need not provide it. */
  requirement: RequiredEndpoint | null
  onRequiredChange: (isRequired: boolean) => void
  onFieldRequirementChange: (field: string, demand: FieldRequirement) => void
}

/** One endpoint: whether operators must provide it, and which of its fields are required or forbidden. */
export function EndpointFields({
  endpointSpec: { endpoint, optional, standard: mandatory },
  requirement,
  onRequiredChange,
  onFieldRequirementChange,
}: Props) {
  const { t } = useTranslation()
  const requiredCount = requirement?.required_fields.length ?? 0
  const disallowedCount = requirement?.disallowed_fields.length ?? 0
  const summaries = [
    requiredCount > 0 ? t('policies:requirements.fields.required', { count: requiredCount }) : '',
    disallowedCount > 0 ? t('policies:requirements.fields.disallowed', { count: disallowedCount }) : '',
  ]
  const fieldSummary = summaries.filter(Boolean).join(', ')
  const requirementOptions = (isOptional: boolean) => [
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
        onChange={(event) => onRequiredChange(event.currentTarget.checked)}
      />
      {requirement && optional.length + mandatory.length > 0 ? (
        <details className={styles['more']}>
          <summary>
            {t('policies:requirements.fields.title', { endpoint })}:{' '}
            {fieldSummary || t('policies:requirements.fields.none')}
          </summary>
          <ul className={styles['fields']}>
            {[...optional, ...mandatory].map((field) => {
              const demand = getFieldRequirement(requirement, field)
              return (
                <li key={field} data-demand={demand}>
                  <code>{field}</code>
                  <NativeSelect
                    size="xs"
                    aria-label={t('policies:requirements.fields.of', { endpoint, field })}
                    data={requirementOptions(optional.includes(field))}
                    value={demand}
                    onChange={(event) =>
                      onFieldRequirementChange(field, event.currentTarget.value as FieldRequirement)
                    }
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
