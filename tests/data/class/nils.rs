fn main() {
    println!("1 3 0 2");
}
