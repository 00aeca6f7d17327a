import { SegmentedControl, Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  getRequirableEndpoints,
  type RequirableSpec,
  requirableVersions,
} from '#contract/required-endpoints.ts'
import type { RequiredSpec } from '#contract/requirements.ts'
import { EndpointFields } from './endpoint-fields.tsx'
import { withEndpoint, withField, withVersion } from './program-draft.ts'
import styles from './requirements.module.css'

interface Props {
  spec: RequirableSpec
  required: readonly RequiredSpec[]
  onChange: (required: RequiredSpec[]) => void
}

const notRequired = 'none'

/** What operators must provide of one standard. */
export function SpecFields({ spec, required, onChange }: Props) {
  const { t } = useTranslation()
  const label = useId()
  const requirement = required.find((candidate) => candidate.spec === spec) ?? null
  const versions = [
    { value: notRequired, label: t('policies:requirements.notAsked') },
    ...requirableVersions(spec).map((version) => ({ value: version, label: `${spec} ${version}` })),
  ]
  return (
    <div>
      <Text fw={600} id={label}>
        {t(`policies:requirements.spec.${spec}.name`)}
      </Text>
      <Text size="xs" c="dimmed" mb={8}>
        {t(`policies:requirements.spec.${spec}.text`)}
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        data={versions}
        value={requirement?.version ?? notRequired}
        onChange={(version) =>
          onChange(withVersion(required, spec, version === notRequired ? null : version))
        }
      />
      {requirement ? (
        <ul className={styles['endpoints']} aria-labelledby={label}>
          {(getRequirableEndpoints(spec, requirement.version) ?? []).map((endpointSpec) => (
            <EndpointFields
              key={endpointSpec.endpoint}
              endpointSpec={endpointSpec}
              requirement={
                requirement.endpoints.find(({ endpoint }) => endpoint === endpointSpec.endpoint) ?? null
              }
              onRequiredChange={(isRequired) =>
                onChange(withEndpoint(required, spec, endpointSpec.endpoint, isRequired))
              }
              onFieldRequirementChange={(field, fieldRequirement) =>
                onChange(
                  withField(required, { spec, endpoint: endpointSpec.endpoint, field }, fieldRequirement),
                )
              }
            />
          ))}
        </ul>
      ) : null}
      {requirement?.endpoints.length === 0 ? (
        <Text size="sm" role="status" c="var(--amber)" mt="sm">
          {t('policies:requirements.nothingTicked')}
        </Text>
      ) : null}
    </div>
  )
}
