// A vitest reporter for `scripts/test.mjs`: writes the errors that belong to no test, which the JSON report leaves out.
import { writeFileSync } from 'node:fs'
import process from 'node:process'

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    const shorten = ({ name, message, stack }) => ({ name, message, stack: stack?.slice(0, 2000) })
    writeFileSync(process.env.UNHANDLED_ERRORS_FILE, JSON.stringify(errors.map(shorten)))
  }
}
