import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import { findPolicyType, policyTypes } from '#contract/policy-types/list.ts'
import { LimitFields } from './limit-fields.tsx'
import { PriceFields } from './price-fields.tsx'
import type { PolicyDraft } from './use-policy-draft.ts'
import { WhenFields } from './when-fields.tsx'
import { WhereFields } from './where-fields.tsx'
import { WhoFields } from './who-fields.tsx'
import { useId, type ReactNode } from 'react'
import styles from './editor.module.css'
import { Textarea, ActionIcon, Select } from '@mantine/core'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { formatPolicyType } from './type-text.ts'
import { IconTrash } from '@tabler/icons-react'
import type { FieldProps } from './field-props.ts'
import { firstLocale, freeLocales, localeName, shownLocales } from './message-locales.ts'

/** Messages to riders, by language. */
function MessageFields({ draft: { messages }, change, errorFor }: FieldProps) {
  const { t, i18n } = useTranslation()
  const formatLocale = (locale: string): string => localeName(locale, i18n.language)
  const removeMessage = (locale: string): void =>
    change({
      messages: Object.fromEntries(Object.entries(messages).filter(([language]) => language !== locale)),
    })
  return (
    <>
      <p className={styles['hint']}>{t('policies:message.hint')}</p>
      {shownLocales(messages).map((locale) => (
        <div key={locale} className={locale === firstLocale ? undefined : styles['message']}>
          <Textarea
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1000}
            lang={locale}
            label={t('policies:message.in', { language: formatLocale(locale) })}
            value={messages[locale] ?? ''}
            error={locale === firstLocale ? errorFor('messages') : null}
            onChange={(event) => change({ messages: { ...messages, [locale]: event.currentTarget.value } })}
          />
          {locale === firstLocale ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('policies:message.remove', { language: formatLocale(locale) })}
              onClick={() => removeMessage(locale)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          )}
        </div>
      ))}
      <Select
        label={t('policies:message.add')}
        placeholder={t('kit:dropdown.choose')}
        searchable
        value={null}
        data={freeLocales(messages).map((locale) => ({ value: locale, label: formatLocale(locale) }))}
        onChange={(locale) => {
          if (locale !== null) change({ messages: { ...messages, [locale]: '' } })
        }}
      />
    </>
  )
}

/** The fields of type, name and description. */
function WhatFields({ form: { draft, change, errorFor, setType } }: { form: PolicyDraft }) {
  const { t } = useTranslation()
  const options = policyTypes.map(({ name }) => ({
    value: name,
    text: formatPolicyType(t, name),
    description: t(`policies:typeText.${name}`, { defaultValue: '' }),
  }))
  const isKnownType = options.some(({ value }) => value === draft.policy_type)
  return (
    <>
      <Dropdown
        label={t('policies:field.policy_type')}
        required
        options={options}
        value={isKnownType ? draft.policy_type : null}
        error={errorFor('policy_type')}
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

function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <h2 id={id} className={styles['partTitle']}>
        {title}
      </h2>
      {children}
    </section>
  )
}

interface Props {
  form: PolicyDraft
  layers: readonly Layer[] | null
  today: LocalDay
  regionId: string
  operatorName: (slug: string) => string
}

/** The form of a policy; its type determines the sections. */
export function PolicyForm({ form, layers, today, regionId, operatorName }: Props) {
  const { t } = useTranslation()
  const isFee = findPolicyType(form.draft.policy_type)?.isFee ?? false
  return (
    <>
      <FormSection title={t('policies:part.what')}>
        <WhatFields form={form} />
        <LimitFields {...form} />
      </FormSection>
      {isFee ? (
        <FormSection title={t('policies:part.price')}>
          <PriceFields {...form} layers={layers} />
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
