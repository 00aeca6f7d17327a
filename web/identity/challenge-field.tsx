import { useTranslation } from 'react-i18next'
import type { ChallengeMethod } from '#web/data/second-factor.ts'
import { CodeField } from './code-field.tsx'
import { EntryField } from './entry-field.tsx'
import { focusWhenShown } from './focus-when-shown.ts'

interface Props {
  way: ChallengeMethod
  code: string
  isMissing: boolean
  onFill: (code: string) => void
}

/** The code of a challenge: digits, but for the recovery codes, which are letters too. */
export function ChallengeField({ way, code, isMissing, onFill }: Props) {
  const { t } = useTranslation()
  const Field = way === 'recovery' ? EntryField : CodeField
  const plain =
    way === 'recovery' ? { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false, maxLength: 40 } : {}
  return (
    <Field
      {...plain}
      ref={focusWhenShown}
      label={t(`identity:challenge.${way}.label`)}
      value={code}
      error={isMissing ? t('identity:challenge.required') : null}
      onFill={onFill}
    />
  )
}
