import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { FormSection } from './form-section.tsx'
import { LimitFields } from './limit-fields.tsx'
import { MessageFields } from './message-fields.tsx'
import { PriceFields } from './price-fields.tsx'
import type { PolicyDraft } from './use-policy-draft.ts'
import { WhatFields } from './what-fields.tsx'
import { WhenFields } from './when-fields.tsx'
import { WhereFields } from './where-fields.tsx'
import { WhoFields } from './who-fields.tsx'

interface Props {
  form: PolicyDraft
  layers: readonly Layer[] | null
  today: LocalDay
  regionId: string
  operatorName: (slug: string) => string
}

/** The details of a policy: which parts there are follows from its type. */
export function PolicyForm({ form, layers, today, regionId, operatorName }: Props) {
  const { t } = useTranslation()
  const isFee = policyTypeOf(form.draft.policy_type)?.isFee ?? false
  return (
    <>
      <FormSection title={t('policies:part.what')}>
        <WhatFields form={form} />
        <LimitFields {...form} />
      </FormSection>
      {isFee ? (
        <FormSection title={t('policies:part.price')}>
          <PriceFields {...form} />
        </FormSection>
      ) : null}
      <FormSection title={t('policies:part.where')}>
        <WhereFields form={form} layers={layers} />
      </FormSection>
      <FormSection title={t('policies:part.when')}>
        <WhenFields {...form} today={today} />
      </FormSection>
      <FormSection title={t('policies:part.who')}>
        <WhoFields {...form} regionId={regionId} operatorName={operatorName} />
      </FormSection>
      {form.offers('messages') ? (
        <FormSection title={t('policies:part.message')}>
          <MessageFields {...form} />
        </FormSection>
      ) : null}
    </>
  )
}
