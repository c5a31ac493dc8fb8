import { ratePasswordStrength } from '@recado/contract/passwords/password-check'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './password-strength.module.css'

const texts = defineTexts({
  es: { label: 'Seguridad', grades: ['muy común', 'débil', 'regular', 'buena', 'fuerte'] },
  pt: { label: 'Segurança', grades: ['muito comum', 'fraca', 'razoável', 'boa', 'forte'] },
  en: { label: 'Strength', grades: ['too common', 'weak', 'fair', 'good', 'strong'] },
})

/** The estimated strength of a password, below the field while typing. */
export function PasswordStrength({ password }: { password: string }) {
  const words = useTexts(texts)
  if (!password) return null
  const grade = ratePasswordStrength(password)
  return (
    <div className={classes.root} data-grade={grade}>
      <span className={classes.bar} aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <i key={step} data-on={grade >= step || undefined} />
        ))}
      </span>
      <span role="status">
        {words.label}: {words.grades[grade]}
      </span>
    </div>
  )
}
