import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { policyTypes } from '#contract/policy-types/list.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { typeText } from './type-text.ts'
import type { PolicyDraft } from './use-policy-draft.ts'

/** What a policy is about. */
export function WhatFields({ form: { draft, change, faultOf, setType } }: { form: PolicyDraft }) {
  const { t } = useTranslation()
  const options = policyTypes.map(({ name }) => ({
    value: name,
    text: typeText(t, name),
    description: t(`policies:typeText.${name}`, { defaultValue: '' }),
  }))
  const known = options.some(({ value }) => value === draft.policy_type)
  return (
    <>
      <Dropdown
        label={t('policies:field.policy_type')}
        required
        options={options}
        value={known ? draft.policy_type : null}
        error={faultOf('policy_type')}
        onChange={setType}
      />
      <Textarea
        label={t('policies:field.description')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        value={draft.description ?? ''}
        onChange={(event) => change({ description: event.currentTarget.value || null })}
      />
    </>
  )
}
