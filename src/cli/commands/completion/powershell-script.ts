import { LIVE_VALUES } from '../../command/command.ts'
import { type CompletionPlace, SHARED_FLAGS, type Value } from './completion-table.ts'

/**
 * Returns the completion script for PowerShell 5 and later, which completes files and folders by itself if nothing else
 * is offered.
 */
export function powershellScript(places: readonly CompletionPlace[]): string {
  return `# Completion of memctl in PowerShell. Made by: memctl completion powershell
Register-ArgumentCompleter -Native -CommandName memctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $places = @{
${places.map(placeEntry).join('\n')}
    }
    $values = @{
${valueEntries(places).join('\n')}
    }
    $where = ''
    $pending = $null
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = "$element"
        if ($null -ne $pending) { $pending = $null; continue }
        if ($word.StartsWith('-')) {
            foreach ($key in @("\${where}:$word", "*:$word")) { if ($values.ContainsKey($key)) { $pending = $key } }
            continue
        }
        $there = "$where $word".Trim()
        if ($places.ContainsKey($there)) { $where = $there }
    }
    if ($null -ne $pending) { $offered = $values[$pending] }
    elseif ($wordToComplete.StartsWith('-')) { $offered = $places[$where].flags }
    else { $offered = $places[$where].words }
    if ($offered -is [string]) {
        $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
        $lines = @(& memctl ${LIVE_VALUES} $offered -- @typed 2>$null)
        $offered = [ordered]@{}
        foreach ($line in $lines) {
            $value, $about = "$line" -split [char]9, 2
            $offered[$value] = $about
        }
    }
    foreach ($one in $offered.GetEnumerator()) {
        if ($one.Key.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) {
            $text = $one.Key
            if ($text -notmatch '^[\\w-][\\w.@:+-]*$') {
                $text = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
            }
            [System.Management.Automation.CompletionResult]::new($text, $one.Key, 'ParameterValue', $one.Value)
        }
    }
}
`
}

function placeEntry({ path, commands, flags, words }: CompletionPlace): string {
  const offered = commands.length > 0 ? dictionary(commands) : valueText(words)
  const forms = flags.flatMap(({ forms, about }) => forms.map((name) => ({ name, about })))
  return `        ${quoteForPowerShell(path)} = @{ words = ${offered}; flags = ${dictionary(forms)} }`
}

function valueEntries(places: readonly CompletionPlace[]): string[] {
  const own = places.flatMap(({ path, flags }) =>
    flags.filter((flag) => !SHARED_FLAGS.includes(flag)).map((flag) => ({ place: path, ...flag }))
  )
  return [...SHARED_FLAGS.map((flag) => ({ place: '*', ...flag })), ...own].flatMap(({ place, forms, value }) =>
    value === undefined
      ? []
      : forms.map((form) => `        ${quoteForPowerShell(`${place}:${form}`)} = ${valueText(value)}`)
  )
}

type CompletionItem = { name: string; about: string }

function dictionary(all: readonly CompletionItem[]): string {
  return `[ordered]@{ ${all.map(({ name, about }) => `${quoteForPowerShell(name)} = ${quoteForPowerShell(about)}`).join('; ')} }`
}

/** Returns the values with their descriptions, or the name of a kind that is listed when it is completed. */
function valueText(value: Value): string {
  if (typeof value === 'object') return dictionary(value.map((name) => ({ name, about: name })))
  return value === 'file' || value === 'folder' || value === 'other' ? dictionary([]) : quoteForPowerShell(value)
}

function quoteForPowerShell(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}
