//! The files in tests/data/layouts: layouts and outputs of public programs, and the submissions in tests/data/submissions.

use std::fs;
use std::path::Path;

use queens_judge::AnswerKind;

use super::judged::{Faults, Outcome, outcome};

struct Layout {
    file: &'static str,
    n: usize,
    answer_kind: AnswerKind,
    expected: Outcome,
}

const fn missing(missing: u64) -> Outcome {
    Outcome::Wrong(Faults { illegal: 0, repeated: 0, missing })
}

const fn repeated(repeated: u64) -> Outcome {
    Outcome::Wrong(Faults { illegal: 0, repeated, missing: 0 })
}

/// One solution is replaced by an illegal board.
const ILLEGAL: Outcome = Outcome::Wrong(Faults { illegal: 1, repeated: 0, missing: 1 });

use Outcome::{Correct, Unreadable};

/// D1 to D10 are layouts of public programs with new contents. The other files are named after their properties.
#[rustfmt::skip]
const LAYOUTS: &[Layout] = &[
    Layout { file: "D1.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "D2.txt", n: 5, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "D3.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "D4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "D5.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "D6.txt", n: 4, answer_kind: AnswerKind::All, expected: Unreadable },
    Layout { file: "D6.txt", n: 6, answer_kind: AnswerKind::Count, expected: Correct },
    Layout { file: "D7.txt", n: 5, answer_kind: AnswerKind::All, expected: missing(9) },
    Layout { file: "D8.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "D9.txt", n: 4, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "D10.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_d_among_dots.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_r_among_stars.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_k_among_blanks.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_h_among_dots.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_w_among_stars.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_hou_among_dots.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_ferz_among_blanks.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "checks_of_blanks_and_dots.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "checks_of_slashes.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "checks_of_hashes.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "checks_of_hashes_around_queens.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "checks_of_shades.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "checks_of_two_shades.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "blanks_cut.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "blanks_cut_wide.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "coloured_letters.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "coloured_blanks.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "coloured_checks.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "coloured_checks_red_queens.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "an_empty_line_after_every_row.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "fractions.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "pairs_with_dashes_and_full_stop.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "pairs_with_dashes_and_full_stop_6.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "squares_without_blanks.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "frames_of_code_page_437.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "ruled_frames_of_code_page_437.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "code_page_437_blocks.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "a_border_of_stars.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "numbered_queens_in_a_frame.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_of_two_letters.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queens_of_two_letters_among_dots.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "cells_in_brackets.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "queen_and_empty_as_words.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "rank_numbers_on_the_right.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "solution_and_dashes.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "hash_and_number.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "csv_with_an_id.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "csv_with_an_id_and_a_string.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "names_with_colons.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "names_with_indices.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "one_number_per_line.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "one_number_per_line_first.txt", n: 8, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "ocaml_arrays.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "ocaml_arrays_6.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "numpy_2.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "z3_model.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "z3_model_first.txt", n: 8, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "ortools.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "julia_columns.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "go_rows.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "fen.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "fen_8.txt", n: 8, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "dashes.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "boards_beside_each_other.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "boards_beside_each_other_in_threes.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "boards_beside_each_other_in_bars.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "german_sentences.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "german_columns.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "spanish_sentences.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "spanish_board.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "german_board.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "utf16_little_endian.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "utf16_big_endian.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "line_ends_of_cr_only.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "latin1_heading.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "clojure_vectors.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "prolog_answers.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "erlang_tuples.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "asp_answers.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "r_vectors.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "r_matrix.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "o_and_dots_lost.txt", n: 6, answer_kind: AnswerKind::All, expected: missing(1) },
    Layout { file: "o_and_dots_repeated.txt", n: 6, answer_kind: AnswerKind::All, expected: repeated(1) },
    Layout { file: "o_and_dots_illegal.txt", n: 6, answer_kind: AnswerKind::All, expected: ILLEGAL },
    Layout { file: "ocaml_arrays_illegal.txt", n: 4, answer_kind: AnswerKind::All, expected: ILLEGAL },
    Layout { file: "two_sizes.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "two_sizes_5.txt", n: 5, answer_kind: AnswerKind::All, expected: Correct },
];

/// The output of programs in public articles. `tests/data/layouts/programs/README.md` describes them.
#[rustfmt::skip]
const PROGRAMS: &[Layout] = &[
    Layout { file: "programs/000_java_lists_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/000_java_lists_8.txt", n: 8, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/001_python_zeros_and_ones_4.txt", n: 4, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "programs/001_python_dots_4.txt", n: 4, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "programs/001_python_dots_3.txt", n: 3, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/001_python_zeros_and_ones_3.txt", n: 3, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/001_c_zeros_and_ones_4.txt", n: 4, answer_kind: AnswerKind::One, expected: Correct },
    Layout { file: "programs/002_java_zeros_and_ones_8.txt", n: 8, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/002_java_zeros_and_ones_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/003_java_hello_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/004_ruby_underscores_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/004_ruby_underscores_6.txt", n: 6, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "programs/004_ruby_underscores_3.txt", n: 3, answer_kind: AnswerKind::All, expected: Correct },
];

/// Submissions in tests/data/submissions.
#[rustfmt::skip]
const SUBMISSIONS: &[Layout] = &[
    Layout { file: "../submissions/java_lists_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/java_tabs_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/ruby_crlf_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/ruby_pp_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/unicode_bom_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/framed_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/labelled_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/coloured_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/objects_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/emoji_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/side_by_side_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/ambiguous_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Unreadable },
    Layout { file: "../submissions/prose.txt", n: 8, answer_kind: AnswerKind::All, expected: Unreadable },
    Layout { file: "../submissions/two_in_a_row_4.txt", n: 4, answer_kind: AnswerKind::All, expected: ILLEGAL },
    Layout { file: "../submissions/repeated_6.txt", n: 6, answer_kind: AnswerKind::All, expected: repeated(1) },
    Layout { file: "../submissions/near_board_4.txt", n: 4, answer_kind: AnswerKind::All, expected: Outcome::Wrong(Faults { illegal: 1, repeated: 0, missing: 0 }) },
    Layout { file: "../submissions/none.txt", n: 3, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/none.txt", n: 4, answer_kind: AnswerKind::All, expected: missing(2) },
    Layout { file: "../submissions/none_possible.txt", n: 2, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/none_possible.txt", n: 6, answer_kind: AnswerKind::All, expected: missing(4) },
    Layout { file: "../submissions/empty.txt", n: 3, answer_kind: AnswerKind::All, expected: Correct },
    Layout { file: "../submissions/empty.txt", n: 4, answer_kind: AnswerKind::All, expected: missing(2) },
    Layout { file: "../submissions/empty.txt", n: 4, answer_kind: AnswerKind::One, expected: Unreadable },
];

fn read(file: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/layouts").join(file);
    fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn assert_outcomes(layouts: &[Layout]) {
    let mut failures = Vec::new();
    for Layout { file, n, answer_kind, expected } in layouts {
        let result = outcome(&read(file), *n, *answer_kind);
        if result != *expected {
            failures.push(format!("{file}, n = {n}, {answer_kind:?}: {result:?} instead of {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), layouts.len(), failures.join("\n"));
}

#[test]
fn layouts_of_public_programs_are_judged() {
    assert_outcomes(LAYOUTS);
}

#[test]
fn outputs_of_public_programs_are_correct() {
    assert_outcomes(PROGRAMS);
}

#[test]
fn submissions_have_the_expected_verdicts() {
    assert_outcomes(SUBMISSIONS);
}

#[test]
fn every_layout_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/layouts");
    for (folder, prefix, layouts) in
        [(folder.clone(), "", LAYOUTS), (folder.join("programs"), "programs/", PROGRAMS)]
    {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
            let name = format!("{prefix}{name}");
            let is_listed = layouts.iter().any(|layout| layout.file == name);
            assert!(is_listed || !name.ends_with(".txt"), "{name}");
        }
    }
}
