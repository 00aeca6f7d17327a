import { Button, Select, SimpleGrid, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  getPayerSettings,
  type PayerSettings,
  savePayerSettings,
  maxMailAddresses,
} from '#contract/billing-settings.ts'
import { Language } from '#contract/identity.ts'
import { getInvoice } from '#contract/invoices.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FormPart } from '#web/kit/form-part.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import styles from '../billing.module.css'
import { readInvoicingSearch } from '../invoicing-search.ts'
import { usePayers } from '../use-payers.ts'
import { languageOptions } from './settings-form.tsx'

/** The details of an operator on its invoices, and their recipients. */
export function PayerSettingsPart() {
  const { t } = useTranslation()
  const { search, push } = useSearchState(readInvoicingSearch)
  const { payers, getOperatorName } = usePayers()
  const operator = search.payer ?? payers?.[0]?.slug
  return (
    <div className={styles['form']}>
      <FormPart title={t('billing:payer.title')} text={t('billing:payer.text')}>
        {payers?.length === 0 ? <Text c="dimmed">{t('billing:payer.none')}</Text> : null}
        {operator === undefined ? null : (
          <>
            <Select
              label={t('billing:field.operator')}
              allowDeselect={false}
              data={(payers ?? []).map(({ slug: value, name: label }) => ({ value, label }))}
              value={operator}
              onChange={(payer) => payer !== null && push({ payer })}
            />
            <PayerDetails key={operator} operator={operator} name={getOperatorName(operator)} />
          </>
        )}
      </FormPart>
    </div>
  )
}

function PayerDetails({ operator, name }: { operator: string; name: string }) {
  const { regionId } = useRegion()
  const settings = useEndpointQuery(getPayerSettings, { params: { region_id: regionId, operator } })
  return (
    <Loaded query={settings} dim={false}>
      {(data) => <PayerForm operator={operator} name={name} saved={data} />}
    </Loaded>
  )
}

/** Characters after which typed text becomes a mail address. */
const addressSeparators = [',', ' ', ';']

function PayerForm({ operator, name, saved }: { operator: string; name: string; saved: PayerSettings }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [draft, setDraft] = useState(saved)
  const save = useEndpointMutation(savePayerSettings, [getPayerSettings, getInvoice])
  const issues = getFieldIssues(save.error)
  const updateDraft = (changes: Partial<PayerSettings>): void => setDraft({ ...draft, ...changes })
  const renderTextField = (
    key: 'legal_name' | 'tax_id' | 'contact' | 'purchase_order',
    label: string,
    maxLength: number,
  ) => (
    <TextInput
      label={label}
      maxLength={maxLength}
      value={draft[key]}
      error={issues.get(key)}
      {...(key === 'legal_name' ? { placeholder: name } : {})}
      onChange={(event) => updateDraft({ [key]: event.currentTarget.value })}
    />
  )
  const renderAddressField = (key: 'recipients' | 'cc') => (
    <TagsInput
      label={t(`billing:field.${key}`)}
      splitChars={addressSeparators}
      maxTags={maxMailAddresses}
      acceptValueOnBlur
      value={draft[key]}
      error={issues.get(key)}
      onChange={(value) => updateDraft({ [key]: value })}
    />
  )
  return (
    <form
      className={styles['rates']}
      aria-label={t('billing:payer.formOf', { operator: name })}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(
          { params: { region_id: regionId, operator }, body: draft },
          {
            onSuccess: (stored) => {
              setDraft(stored)
              showToast(t('billing:payer.saved', { operator: name }))
            },
          },
        )
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {renderTextField('legal_name', t('billing:payer.legalName'), 200)}
        {renderTextField('tax_id', t('billing:settings.taxId'), 60)}
      </SimpleGrid>
      <Textarea
        label={t('billing:settings.address')}
        autosize
        minRows={3}
        maxLength={500}
        value={draft.address}
        error={issues.get('address')}
        onChange={(event) => updateDraft({ address: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {renderTextField('contact', t('billing:payer.contact'), 200)}
        {renderTextField('purchase_order', t('billing:field.purchase_order'), 80)}
        <Select
          label={t('billing:settings.language.label')}
          placeholder={t('billing:payer.sameLanguage')}
          clearable
          data={languageOptions}
          value={draft.document_language}
          onChange={(language) =>
            updateDraft({ document_language: language === null ? null : Language.parse(language) })
          }
        />
        {renderAddressField('recipients')}
        {renderAddressField('cc')}
      </SimpleGrid>
      {save.error ? <FailedState error={save.error} title={t('billing:payer.failed')} /> : null}
      <div>
        <Button
          type="submit"
          disabled={JSON.stringify(draft) === JSON.stringify(saved)}
          loading={save.isPending}
        >
          {t('billing:payer.save', { operator: name })}
        </Button>
      </div>
    </form>
  )
}
