import { Button, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BillingSettings, getBillingSettings, saveBillingSettings } from '#contract/billing-settings.ts'
import { Language } from '#contract/identity.ts'
import { localDay } from '#contract/period.ts'
import { now } from '#web/data/clock.ts'
import { languages } from '#web/i18n/start-i18n.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { type DisplayableError, FailedState } from '#web/kit/failed-state.tsx'
import { FormPart } from '#web/kit/form-part.tsx'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from '../billing.module.css'
import { AccountFields } from './account-fields.tsx'
import { LogoField } from './logo-field.tsx'
import { formatNumberExample, getSettingsIssues } from './settings-issues.ts'
import { TaxFields } from './tax-fields.tsx'

/** Languages of documents, each in its own words, such as "Español". */
export const languageOptions = Object.entries(languages).map(([value, label]) => ({ value, label }))

/** Seller, taxes, terms, numbers, approval and accounts of the region's invoices. */
export function SettingsForm({ settings }: { settings: BillingSettings & { has_logo: boolean } }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const { has_logo: hasLogo, ...saved } = settings
  const [draft, setDraft] = useState<BillingSettings>(saved)
  const save = useEndpointMutation(saveBillingSettings, [getBillingSettings])
  const issues = getSettingsIssues(save.error)
  const updateDraft = (changes: Partial<BillingSettings>): void => setDraft({ ...draft, ...changes })
  const fieldProps = { draft, issues, onChange: updateDraft }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)
  return (
    <form
      className={styles['form']}
      aria-label={t('billing:settings.title')}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(
          { params: { region_id: regionId }, body: draft },
          {
            onSuccess: ({ has_logo: _logo, ...stored }) => {
              setDraft(stored)
              showToast(t('billing:settings.saved'))
            },
          },
        )
      }}
    >
      <FormPart title={t('billing:settings.seller.title')} text={t('billing:settings.seller.text')}>
        <SellerFields seller={draft.seller} issues={issues} onChange={(seller) => updateDraft({ seller })} />
        <LogoField hasLogo={hasLogo} />
      </FormPart>
      <FormPart title={t('billing:settings.payment.title')}>
        <PaymentFields {...fieldProps} />
      </FormPart>
      <FormPart title={t('billing:settings.taxes.title')} text={t('billing:settings.taxes.text')}>
        <TaxFields draft={draft} issues={issues} onChange={updateDraft} />
      </FormPart>
      <FormPart title={t('billing:settings.numbers.title')} text={t('billing:settings.numbers.text')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <NumberFormatField {...fieldProps} field="invoice_number_format" />
          <NumberFormatField {...fieldProps} field="credit_note_number_format" />
        </SimpleGrid>
      </FormPart>
      <FormPart title={t('billing:settings.rules.title')}>
        <SettingSwitch
          label={t('billing:settings.needs_second_person.label')}
          description={t('billing:settings.needs_second_person.text')}
          checked={draft.needs_second_person}
          onChange={(event) => updateDraft({ needs_second_person: event.currentTarget.checked })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <NumberField {...fieldProps} field="adjustment_months" min={0} max={60} />
          <NumberField {...fieldProps} field="retention_years" min={1} max={100} />
        </SimpleGrid>
      </FormPart>
      <FormPart title={t('billing:settings.accounts.title')} text={t('billing:settings.accounts.text')}>
        <AccountFields
          codes={draft.account_codes}
          issues={issues}
          onChange={(account_codes) => updateDraft({ account_codes })}
        />
      </FormPart>
      <SaveBar
        isChanged={isChanged}
        save={save}
        hasFieldErrors={issues.size > 0}
        onUndo={() => setDraft(saved)}
      />
      <UnsavedGuard
        hasUnsavedChanges={() => isChanged}
        showsSameForm={(current, next) => current['tab'] === next['tab']}
        title={t('billing:settings.leave.title')}
        action={t('billing:settings.leave.action')}
        text={t('billing:settings.leave.text')}
      />
    </form>
  )
}

interface SellerFieldsProps {
  seller: BillingSettings['seller']
  issues: ReadonlyMap<string, string>
  onChange: (seller: BillingSettings['seller']) => void
}

/** Name, tax number, address and email of the seller. */
function SellerFields({ seller, issues, onChange }: SellerFieldsProps) {
  const { t } = useTranslation()
  const updateSeller = (changes: Partial<BillingSettings['seller']>): void =>
    onChange({ ...seller, ...changes })
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput
          label={t('billing:settings.seller.name')}
          maxLength={200}
          value={seller.name}
          error={issues.get('seller.name')}
          onChange={(event) => updateSeller({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('billing:settings.taxId')}
          maxLength={60}
          value={seller.tax_id}
          error={issues.get('seller.tax_id')}
          onChange={(event) => updateSeller({ tax_id: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Textarea
        label={t('billing:settings.address')}
        autosize
        minRows={3}
        maxLength={500}
        value={seller.address}
        error={issues.get('seller.address')}
        onChange={(event) => updateSeller({ address: event.currentTarget.value })}
      />
      <TextInput
        type="email"
        label={t('billing:settings.seller.email')}
        description={t('billing:settings.seller.emailText')}
        maxLength={254}
        value={seller.email}
        error={issues.get('seller.email')}
        onChange={(event) => updateSeller({ email: event.currentTarget.value })}
      />
    </>
  )
}

interface FieldsProps {
  draft: BillingSettings
  issues: ReadonlyMap<string, string>
  onChange: (changes: Partial<BillingSettings>) => void
}

/** Payment terms and texts of documents. */
function PaymentFields(props: FieldsProps) {
  const { t } = useTranslation()
  const { draft, issues, onChange } = props
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NumberField {...props} field="payment_terms_days" min={0} max={365} />
        <Select
          label={t('billing:settings.language.label')}
          description={t('billing:settings.language.text')}
          allowDeselect={false}
          data={languageOptions}
          value={draft.document_language}
          onChange={(language) => onChange({ document_language: Language.parse(language) })}
        />
      </SimpleGrid>
      <Textarea
        label={t('billing:field.remittance_text')}
        description={t('billing:settings.remittance')}
        autosize
        minRows={3}
        maxLength={1000}
        value={draft.remittance_text}
        error={issues.get('remittance_text')}
        onChange={(event) => onChange({ remittance_text: event.currentTarget.value })}
      />
    </>
  )
}

interface NumberFieldProps extends FieldsProps {
  field: 'payment_terms_days' | 'adjustment_months' | 'retention_years'
  min: number
  max: number
}

function NumberField({ draft, issues, onChange, field, min, max }: NumberFieldProps) {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={t(`billing:settings.${field}.label`)}
      description={t(`billing:settings.${field}.text`)}
      min={min}
      max={max}
      allowDecimal={false}
      value={draft[field]}
      error={issues.get(field)}
      onChange={(value) => onChange({ [field]: typeof value === 'number' ? value : min })}
    />
  )
}

interface NumberFormatFieldProps extends FieldsProps {
  field: 'invoice_number_format' | 'credit_note_number_format'
}

/** The format of document numbers, with an example of this year. */
function NumberFormatField({ draft, issues, onChange, field }: NumberFormatFieldProps) {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const year = Number(localDay(new Date(now()), timezone).slice(0, 4))
  return (
    <TextInput
      label={t(`billing:settings.${field}`)}
      description={t('billing:settings.numberExample', {
        number: formatNumberExample(draft[field], regionId, year),
      })}
      required
      maxLength={60}
      value={draft[field]}
      error={issues.get(field)}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  )
}

interface SaveBarProps {
  isChanged: boolean
  save: { error: DisplayableError | null; isPending: boolean }
  /** Whether fields show why saving failed. */
  hasFieldErrors: boolean
  onUndo: () => void
}

/** The buttons below the form, and why saving failed. */
function SaveBar({ isChanged, save, hasFieldErrors, onUndo }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['save']}>
      {save.error ? (
        <FailedState
          error={hasFieldErrors ? { message: t('billing:settings.marked'), id: save.error.id } : save.error}
          title={t('billing:settings.failed')}
        />
      ) : null}
      <p role="status">{t(isChanged ? 'billing:settings.changed' : 'billing:settings.unchanged')}</p>
      <Button variant="default" disabled={!isChanged || save.isPending} onClick={onUndo}>
        {t('billing:settings.undo')}
      </Button>
      <Button type="submit" disabled={!isChanged} loading={save.isPending}>
        {t('kit:save')}
      </Button>
    </div>
  )
}
