import { useTranslation } from 'react-i18next'
import type { ChallengeMethod } from '#web/data/second-factor.ts'
import { CodeField } from './code-field.tsx'
import { EntryField } from './entry-field.tsx'
import { focusWhenShown } from './focus-when-shown.ts'

interface Props {
  method: ChallengeMethod
  code: string
  isMissing: boolean
  onFill: (code: string) => void
}

/** The code of a challenge: digits, or letters too for recovery codes. */
export function ChallengeField({ method, code, isMissing, onFill }: Props) {
  const { t } = useTranslation()
  const Field = method === 'recovery' ? EntryField : CodeField
  const plain =
    method === 'recovery'
      ? { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false, maxLength: 40 }
      : {}
  return (
    <Field
      {...plain}
      ref={focusWhenShown}
      label={t(`identity:challenge.${method}.label`)}
      value={code}
      error={isMissing ? t('identity:challenge.required') : null}
      onFill={onFill}
    />
  )
}
